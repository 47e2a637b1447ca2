import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { livingProcesses, TerminalStage, type By } from './terminal-stage.ts';

const SHELL = ['/bin/bash', '--norc', '--noprofile', '-i'] as const;

/** What names itself by its command line. */
function named(mark: string): string[] {
  return livingProcesses()
    .map(({ command }) => command)
    .filter((command) => command.includes(mark));
}

describe('ending terminals', () => {
  let stage: TerminalStage;
  let marks = 70_000;
  beforeAll(async () => {
    stage = await TerminalStage.open();
  });
  afterAll(async () => stage.close());

  /** Seconds to sleep that nobody else sleeps. */
  const mark = () => String((marks += 1) + process.pid / 1e8);

  it.each(['none', 'landlock', 'bubblewrap'] satisfies By[])('leaves nothing behind (%s)', async (by) => {
    const terminal = await stage.start(SHELL, { by });
    await terminal.shows(/\$ $/);
    const seconds = mark();
    await terminal.type(
      `sleep ${seconds} & setsid sleep ${seconds} & (setsid sh -c "trap '' HUP INT TERM; sleep ${seconds} & sleep ${seconds}" &) ; env -i sleep ${seconds}\r`,
    );
    await expect.poll(() => named(`sleep ${seconds}`).length).toBeGreaterThanOrEqual(5);
    expect(await terminal.end('end', 100, 100)).toBeGreaterThanOrEqual(6);
    expect(named(seconds)).toEqual([]);
    await terminal.wait();
    expect(await stage.ask({ do: 'masters' })).toBe(0);
  });

  it('hangs up: the shell exits on its own, with its jobs', async () => {
    const seconds = mark();
    const terminal = await stage.start(SHELL, { by: 'landlock' });
    await terminal.shows(/\$ $/);
    await terminal.type(`trap 'echo bye > bye' EXIT; sleep ${seconds} & sleep ${seconds}\r`);
    await expect.poll(() => named(seconds).length).toBe(2);
    await terminal.ask('hang up');
    await terminal.wait();
    await expect.poll(() => named(seconds)).toEqual([]);
    await expect.poll(() => readFileSync(stage.path('scope', 'bye'), 'utf8')).toBe('bye\n');
    expect(await terminal.end('end', 0, 0)).toBe(0);
  });

  it.each(['none', 'landlock', 'bubblewrap'] satisfies By[])(
    'ends the command and leaves the shell and its jobs (%s)',
    async (by) => {
      const [job, command] = [mark(), mark()];
      const terminal = await stage.start(SHELL, { by });
      await terminal.shows(/\$ $/);
      await terminal.type(`sleep ${job} &\r`);
      await expect.poll(() => named(job).length).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await terminal.type(
        `sh -c "trap '' INT TERM; (setsid sh -c 'sleep ${command} & sleep ${command}' &); sleep ${command}; sleep ${command}"; echo "ended with $?"\r`,
      );
      await expect
        .poll(() => named(`sleep ${command}`).filter((it) => it.startsWith('sleep')).length)
        .toBe(3);
      expect(await terminal.end('end foreground')).toBeGreaterThanOrEqual(4);
      expect(named(command)).toEqual([]);
      expect(named(job)).toHaveLength(1);
      await terminal.shows(/[\r\n]ended with 137/);
      expect(await terminal.end('end foreground')).toBe(0);
      await terminal.type('echo still "here"\r');
      await terminal.shows(/[\r\n]still here/);
      await terminal.end('end', 0, 0);
    },
  );

  it('sends INT first, which is enough for most programs', async () => {
    const terminal = await stage.start(SHELL);
    await terminal.shows(/\$ $/);
    const seconds = mark();
    await terminal.type(
      `sh -c 'trap "echo interrupted; exit 3" INT; while :; do sleep 0.05; done' ${seconds}; echo "ended with $?"\r`,
    );
    await expect.poll(() => named(seconds).length).toBe(1);
    await terminal.end('end foreground', 5000, 5000);
    await terminal.shows(/[\r\n]interrupted\r\nended with 3/);
    await terminal.end('end', 0, 0);
  });
});
