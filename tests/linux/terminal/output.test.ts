import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_USER } from '../sandbox/stage.ts';
import { TerminalStage } from './terminal-stage.ts';

const isRoot = process.getuid?.() === 0;
const users = [
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What `seq 1 COUNT` writes, as the kernel passes it on. */
function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\r\n`).join('');
}

describe.each(users)('the output of terminals of $who', ({ user, runs }) => {
  describe.skipIf(!runs)('which this user can open', () => {
    let stage: TerminalStage;
    beforeAll(async () => {
      stage = await TerminalStage.open(user);
    });
    afterAll(async () => stage.close());

    it('has every byte of 200 short commands', async () => {
      const text = 'hello'.repeat(4096);
      const wrong: string[] = [];
      for (let index = 0; index < 200; index += 1) {
        const terminal = await stage.start(['/bin/echo', '-n', `${index} ${text}`]);
        const { sha256: found, length } = await terminal.wait();
        if (found !== sha256(`${index} ${text}`)) wrong.push(`${index}: ${length}`);
      }
      expect(wrong).toEqual([]);
    });

    it('has every byte of 20 commands of 1.5 MB, 4 at a time', async () => {
      const expected = sha256(numbers(200_000));
      for (let round = 0; round < 5; round += 1) {
        const started = await Promise.all([1, 2, 3, 4].map(() => stage.start(['seq', '1', '200000'])));
        const ends = await Promise.all(started.map((terminal) => terminal.wait()));
        expect(ends.map(({ sha256: found }) => found)).toEqual([expected, expected, expected, expected]);
      }
    });

    it('has every byte if the leader exits before reading starts', async () => {
      const text = 'x'.repeat(3000);
      const terminal = await stage.start(['/bin/echo', '-n', text], { reading: 'later' });
      await expect.poll(() => isLiving(terminal.pid)).toBe(false);
      await terminal.ask('read');
      expect(await terminal.wait()).toMatchObject({ sha256: sha256(text), exitCode: 0 });
    });

    it('is unchanged in raw mode', async () => {
      const script = 'import os, sys, tty; tty.setraw(0); os.write(1, bytes(range(256)) * 300); sys.exit(3)';
      const terminal = await stage.start(['/usr/bin/python3', '-c', script]);
      const every = Buffer.from(Array.from({ length: 256 * 300 }, (_, index) => index % 256));
      const found = await terminal.wait();
      expect(found).toMatchObject({
        exitCode: 3,
        length: every.length,
        sha256: createHash('sha256').update(every).digest('hex'),
      });
    });

    it('ends soon after the leader, although others write continuously', async () => {
      const script = 'trap "" HUP; yes behind & sleep 0.3; echo last; exit 4';
      const terminal = await stage.start(['/bin/sh', '-c', script]);
      const { problem, exitCode } = await terminal.wait();
      expect({ problem, exitCode }).toEqual({ problem: undefined, exitCode: 4 });
      const output = await terminal.output();
      expect(output.includes('last\r\n')).toBe(true);
      // How much follows depends on how busy the machine is, and may be nothing.
      expect(output.includes('behind\r\n')).toBe(true);
      // What is left finds its terminal closed.
      await expect.poll(() => terminal.end('end', 0, 0)).toBe(0);
    });

    it.each([
      [['/bin/sh', '-c', 'exit 7'], { exitCode: 7 }],
      [['/bin/sh', '-c', 'kill -TERM $$'], { signal: 'SIGTERM' }],
      [['/bin/true'], { exitCode: 0 }],
    ] as const)('reports how %j ended', async (command, expected) => {
      const terminal = await stage.start(command);
      expect(await terminal.wait()).toMatchObject(expected);
    });

    it('waits for a slow reader without buffering', async () => {
      const before = (await stage.ask({ do: 'memory' })) as number;
      const terminal = await stage.start(['/bin/sh', '-c', 'head -c 1073741824 /dev/zero; echo end'], {
        reading: { pauseMs: 20 },
      });
      // What is gathered would be seen in this time.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const after = (await stage.ask({ do: 'memory' })) as number;
      expect(after - before).toBeLessThan(32 * 1024 * 1024);
      // Who writes waits.
      expect(isLiving(terminal.pid)).toBe(true);
      await terminal.ask('hang up');
      expect(await terminal.wait()).toMatchObject({
        signal: 'SIGHUP',
        problem: 'Error: The terminal was closed.',
      });
    });

    it('leaves no terminal open', async () => {
      const terminal = await stage.start(['/bin/cat']);
      expect(await stage.ask({ do: 'masters' })).toBeGreaterThan(0);
      await terminal.type('\u0004');
      await terminal.wait();
      await expect(stage.start(['no-such-program'])).rejects.toThrow('not found');
      expect(await stage.ask({ do: 'masters' })).toBe(0);
    });
  });
});

function isLiving(pid: number): boolean {
  return statSync(`/proc/${pid}/exe`, { throwIfNoEntry: false }) !== undefined;
}
