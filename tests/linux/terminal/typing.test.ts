import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { livingProcesses, TerminalStage, type By } from './terminal-stage.ts';

const SHELL = ['/bin/bash', '--norc', '--noprofile', '-i'] as const;

describe('typing into terminals', () => {
  let stage: TerminalStage;
  beforeAll(async () => {
    stage = await TerminalStage.open();
  });
  afterAll(async () => stage.close());

  it.each(['none', 'landlock', 'bubblewrap'] satisfies By[])('has job control (%s)', async (by) => {
    const terminal = await stage.start(SHELL, { by });
    await terminal.shows(/\$ $/);
    await terminal.type('echo "$(tput cols) columns"\r');
    await terminal.shows(/[\r\n]200 columns/);
    await terminal.type('sleep 1234.5; echo "sleep: $?"\r');
    await expect
      .poll(async () => (await terminal.facts()).processes.map(({ program }) => program))
      .toEqual(['sleep']);
    const group = (await terminal.facts()).foregroundGroup;
    expect(group).not.toBe(terminal.pid);
    expect(livingProcesses().find(({ command }) => command === 'sleep 1234.5')?.group).toBe(group);
    await terminal.type('\u0003');
    await terminal.shows(/\$ $/);
    expect(livingProcesses().some(({ command }) => command === 'sleep 1234.5')).toBe(false);
    await terminal.type('sleep 4321.5\r');
    await expect
      .poll(async () => (await terminal.facts()).processes.map(({ program }) => program))
      .toEqual(['sleep']);
    await terminal.type('\u001a');
    await terminal.shows(/Stopped/);
    await terminal.type('fg\r');
    await expect
      .poll(async () => (await terminal.facts()).processes.map(({ program }) => program))
      .toEqual(['sleep']);
    await terminal.type('\u0003');
    await expect
      .poll(async () => (await terminal.facts()).processes.map(({ program }) => program))
      .toEqual(['bash']);
    await terminal.type('exit 9\r');
    expect(await terminal.wait()).toMatchObject({ exitCode: 9 });
  });

  it('is the terminal of its programs', async () => {
    const terminal = await stage.start(['/bin/sh', '-c', 'ps -o tty=,tpgid= -p $$; tty; echo on >/dev/tty']);
    const number = terminal.path.slice('/dev/pts/'.length);
    const { tail } = await terminal.wait();
    expect(tail.replaceAll(/ +/g, ' ')).toBe(`pts/${number} ${terminal.pid}\r\n/dev/pts/${number}\r\non\r\n`);
  });

  it('passes only these descriptors to its programs', async () => {
    const terminal = await stage.start(['/bin/ls', '-l', '/proc/self/fd']);
    const { tail } = await terminal.wait();
    const targets = [...tail.matchAll(/ (\d+) -> (\S+)/g)].map(([, descriptor, target]) => [
      descriptor,
      target?.replace(/^\/proc\/\d+\/fd$/, 'the list'),
    ]);
    expect(targets).toEqual([
      ['0', terminal.path],
      ['1', terminal.path],
      ['2', terminal.path],
      ['3', 'the list'],
    ]);
  });

  it('reports a new size to programs', async () => {
    const terminal = await stage.start([
      '/bin/bash',
      '-c',
      'trap "stty size" WINCH; stty size; while :; do sleep 0.05; done',
    ]);
    await terminal.shows(/^50 200\r\n$/);
    await terminal.resize(132, 43);
    expect(await terminal.shows(/43 132/)).toBe('50 200\r\n43 132\r\n');
    await terminal.end('end', 0, 0);
  });

  it('accepts a long text for a raw-mode reader', async () => {
    const text = 'long line '.repeat(20_000);
    const script = `import sys, tty, hashlib; tty.setraw(0); print('go', end='', flush=True); print(hashlib.sha256(sys.stdin.buffer.read(${text.length})).hexdigest())`;
    const terminal = await stage.start(['/usr/bin/python3', '-c', script]);
    await terminal.shows(/go/);
    await terminal.type(text);
    const digest = createHash('sha256').update(text).digest('hex');
    expect((await terminal.wait()).tail).toBe(`go${digest}\n`);
  });

  it('accepts many lines for a line-mode reader', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} ${'.'.repeat(60)}`);
    const terminal = await stage.start(['/bin/sh', '-c', 'stty -echo; echo go; cat > lines']);
    await terminal.shows(/go/);
    await terminal.type(`${lines.join('\r')}\r\u0004`);
    await terminal.wait();
    expect(readFileSync(stage.path('scope', 'lines'), 'utf8')).toBe(`${lines.join('\n')}\n`);
  });

  it('waits while nobody reads, until cancelled, and reports its progress', async () => {
    const terminal = await stage.start(['/bin/sleep', '1000']);
    const text = `${'x'.repeat(999)}\r`.repeat(64);
    await expect(terminal.type(text, 500)).rejects.toMatchObject({
      code: 'CANCELLED',
      message: expect.stringMatching(/after \d{4,5} of 64000 bytes/),
    });
    await terminal.end('end', 0, 0);
    await terminal.wait();
    await expect(terminal.type('more')).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('can cancel a queued write', async () => {
    const terminal = await stage.start(['/bin/sleep', '1000']);
    const first = terminal.type(`${'x'.repeat(999)}\r`.repeat(64)).catch((error: unknown) => error);
    await expect(terminal.type('second', 200)).rejects.toMatchObject({
      code: 'CANCELLED',
      message: expect.stringContaining('after 0 of 6'),
    });
    await terminal.end('end', 0, 0);
    expect(await first).toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('keeps the order of concurrent writes', async () => {
    const script =
      'import sys, tty; tty.setraw(0); print("go", end="", flush=True); print(sys.stdin.buffer.read(30000) == b"".join(bytes([65 + i]) * 3000 for i in range(10)))';
    const terminal = await stage.start(['/usr/bin/python3', '-c', script]);
    await terminal.shows(/go/);
    await Promise.all(Array.from('ABCDEFGHIJ', (letter) => terminal.type(letter.repeat(3000))));
    expect((await terminal.wait()).tail).toBe('goTrue\n');
  });

  it('ends waiting when the terminal ends', async () => {
    const terminal = await stage.start(['/bin/sleep', '1000']);
    const typing = terminal.type(`${'x'.repeat(999)}\r`.repeat(64)).catch((error: unknown) => error);
    await terminal.end('end', 0, 0);
    expect(await typing).toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('types no part of a line that the kernel would cut', async () => {
    const terminal = await stage.start(['/bin/sh', '-c', 'stty -echo; echo go; head -n 2 | wc -c']);
    await terminal.shows(/go/);
    await expect(terminal.type(`${'x'.repeat(4096)}\r`)).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      message: expect.stringContaining('4095'),
    });
    // Nor one in two parts.
    await terminal.type('y'.repeat(4000));
    await expect(terminal.type('y'.repeat(96))).rejects.toMatchObject({ code: 'ACTION_FAILED' });
    await terminal.type(`${'y'.repeat(95)}\r${'z'.repeat(4095)}\r`);
    expect((await terminal.wait()).tail).toBe('go\r\n8192\r\n');
  });
});
