import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TerminalLab } from './terminal-lab.ts';
import { isRunning, residentMb, type LabTerminal } from './terminal-support.ts';
import { until } from '../until.ts';

/** How soon the state of a terminal must be reported. */
const KNOWN_WITHIN_MS = 500;
const WAITS = { interruptMs: 150, terminateMs: 150 };

let lab: TerminalLab;
let bash: LabTerminal;
beforeAll(async () => {
  lab = await TerminalLab.open();
  bash = await lab.terminal('bash');
}, 60_000);
afterAll(() => lab.close(), 60_000);

function read(...names: string[]): string {
  return readFileSync(lab.path(...names), 'utf8');
}

/** Returns as soon as it waits for input. */
async function begin(command: string) {
  const ran = await bash.run(command);
  expect(ran.kind).toBe('waiting');
  return ran;
}

describe.each(['/bin/bash', '/usr/bin/zsh', '/usr/bin/fish', '/bin/dash'])('%s', (shell) => {
  it('runs in its own terminal and reports exit codes and output', async () => {
    const name = basename(shell);
    const terminal = await lab.terminal(`shell-${name}`, shell);
    expect(basename(readlinkSync(`/proc/${terminal.pid}/exe`))).toBe(basename(realpathSync(shell)));
    expect(readlinkSync(`/proc/${terminal.pid}/fd/0`)).toBe(terminal.ttyPath);
    const wrote = await terminal.run(`printf 'é漢 one\\ntwo' | tee ${name}.txt; sh -c 'exit 7'`);
    expect(wrote).toMatchObject({ kind: 'completed', exitCode: 7, output: 'é漢 one\ntwo' });
    expect(read(`${name}.txt`)).toBe('é漢 one\ntwo');
    expect((await terminal.bytesOf(wrote)).toString()).toBe('é漢 one\r\ntwo');
    expect(await terminal.run('cd /; pwd')).toMatchObject({ exitCode: 0, output: '/' });
    expect((await terminal.facts()).cwd).toBe('/');
    await terminal.close();
    expect(isRunning(terminal.pid)).toBe(false);
  });
});

describe('programs that wait for a line', () => {
  it('python runs typed lines', async () => {
    await begin('/usr/bin/python3 -q');
    expect(await bash.facts()).toMatchObject({ state: 'waiting_for_line', prompt: '>>> ' });
    await bash.type("open('python.txt', 'w').write(str(6 * 7))\n");
    await until(
      () => existsSync(lab.path('python.txt')) && read('python.txt') === '42',
      'python has written',
    );
    await bash.type('exit(3)\n');
    await bash.reaches('idle');
    expect((await bash.facts()).exitCode).toBe(3);
  });

  it('gdb runs typed commands', async () => {
    await begin('gdb -q -nx /bin/true');
    expect((await bash.facts()).prompt).toBe('(gdb) ');
    await bash.type('shell echo $((6 * 7)) > gdb.txt\n');
    await until(() => existsSync(lab.path('gdb.txt')) && read('gdb.txt') === '42\n', 'gdb has written');
    await bash.type('quit\n');
    await bash.reaches('idle');
  });

  it('npm init prompts one by one', async () => {
    await mkdir(lab.path('a-package'));
    await begin('cd a-package && npm init');
    for (let asked = 0; asked < 12 && !existsSync(lab.path('a-package', 'package.json')); asked += 1) {
      await bash.reaches('waiting_for_line', 'idle');
      const before = (await bash.screen()).join('\n');
      await bash.type('\r');
      await until(
        async () =>
          (await bash.screen()).join('\n') !== before || existsSync(lab.path('a-package', 'package.json')),
        'npm has taken the answer',
      );
    }
    await bash.reaches('idle');
    expect(JSON.parse(read('a-package', 'package.json'))).toMatchObject({ name: 'a-package' });
    await bash.run('cd ..');
  });
});

describe('full-screen programs', () => {
  it('less shows a page and scrolls', async () => {
    writeFileSync(
      lab.path('long.txt'),
      Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join(''),
    );
    await begin('less long.txt');
    expect((await bash.facts()).state).toBe('full_screen');
    await bash.shows(/^line 38$/);
    await bash.type('G');
    await bash.shows(/^line 499$/);
    await bash.type('q');
    await bash.reaches('idle');
    expect((await bash.facts()).exitCode).toBe(0);
  });

  it('vim writes typed text', async () => {
    await begin('vim -u NONE -N vim.txt');
    await bash.reaches('full_screen');
    await bash.shows(/^~$/);
    await bash.type('ihello 漢字\u001B');
    await bash.shows(/^hello 漢字$/);
    await bash.type(':wq\r');
    await bash.reaches('idle');
    expect(read('vim.txt')).toBe('hello 漢字\n');
  });

  it('top shows processes and quits with q', async () => {
    await begin('top -d 1');
    await bash.reaches('full_screen');
    await bash.shows(/PID\s+USER/);
    await bash.type('q');
    await bash.reaches('idle');
    expect((await bash.facts()).exitCode).toBe(0);
  });

  it('git shows its log in a pager', async () => {
    const repository = lab.path('repository');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]);
    await mkdir(repository);
    git('init', '-q');
    for (let index = 0; index < 20; index += 1) git('commit', '-q', '--allow-empty', '-m', `change ${index}`);
    await begin('git -C repository -c core.pager=less log');
    await bash.shows(/change 19/);
    await bash.reaches('full_screen');
    await bash.type('G');
    await bash.shows(/change 0$/);
    await bash.type('q');
    await bash.reaches('idle');
    expect((await bash.facts()).exitCode).toBe(0);
  });
});

describe('secrets', () => {
  it('of ssh-keygen are typed by a person and never by a caller', async () => {
    const begun = performance.now();
    await begin('ssh-keygen -q -t ed25519 -f key');
    await bash.reaches('waiting_for_secret');
    expect(performance.now() - begun).toBeLessThan(15_000);
    await expect(bash.type('mellon7\n')).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(existsSync(lab.path('key'))).toBe(false);
    await bash.typeByHand('mellon7\n');
    await bash.shows(/same passphrase/);
    await bash.reaches('waiting_for_secret');
    await bash.typeByHand('mellon7\n');
    await bash.reaches('idle');
    const shown = execFileSync('ssh-keygen', ['-y', '-P', 'mellon7', '-f', lab.path('key')]).toString();
    expect(shown.split(' ').slice(0, 2)).toEqual(read('key.pub').split(' ').slice(0, 2));
    expect((await bash.screen()).join('\n')).not.toContain('mellon7');
  });

  it.each([
    ['read -s', 'read -r -s -p "Password: " word; printf %s "$word" > "$name"'],
    [
      'a program that asks the terminal, as sudo does',
      `/usr/bin/python3 -c 'import getpass, sys; open(sys.argv[1], "w").write(getpass.getpass())' "$name"`,
    ],
  ])('of %s are detected within half a second', async (what, command) => {
    const file = `${what.replaceAll(/\W+/g, '-')}.txt`;
    await begin(`name=${file}; ${command}`);
    await bash.shows(/^Password: ?$/);
    expect(await bash.reaches('waiting_for_secret')).toBeLessThan(KNOWN_WITHIN_MS);
    await expect(bash.type('guess\n')).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    await bash.typeByHand('a word\n');
    await bash.reaches('idle');
    expect(read(file)).toBe('a word');
  });
});

describe('a program that resists ending', () => {
  it('is ended by SIGKILL, and its shell stays', async () => {
    const script = 'trap "" INT TERM; echo $$ > stubborn.pid; echo ready; while :; do sleep 0.1; done';
    expect(await bash.run(`sh -c '${script}'`, { isBackground: true, waitMs: 300 })).toMatchObject({
      kind: 'started',
    });
    await until(() => existsSync(lab.path('stubborn.pid')) && read('stubborn.pid') !== '', 'it runs');
    const pid = Number(read('stubborn.pid'));
    expect(await lab.port.kill(bash.id, WAITS)).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
    await bash.reaches('idle');
    expect(isRunning(bash.pid)).toBe(true);
    expect(await bash.run('echo still here')).toMatchObject({ output: 'still here' });
  });

  it('ends with its terminal, even if it forked twice into its own session', async () => {
    const terminal = await lab.terminal('daemon');
    const daemon = `
import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
for fd in range(3): os.close(fd)
open('daemon.pid', 'w').write(str(os.getpid()))
time.sleep(600)`;
    writeFileSync(lab.path('daemon.py'), daemon);
    expect(await terminal.run('/usr/bin/python3 daemon.py')).toMatchObject({
      kind: 'completed',
      exitCode: 0,
    });
    await until(() => existsSync(lab.path('daemon.pid')) && read('daemon.pid') !== '', 'it runs');
    const pid = Number(read('daemon.pid'));
    expect(isRunning(pid)).toBe(true);
    expect(await terminal.run('true')).toMatchObject({ kind: 'completed' });
    await terminal.close();
    expect(isRunning(pid)).toBe(false);
    expect(isRunning(terminal.pid)).toBe(false);
  });
});

describe('output', () => {
  it('of 15 MB keeps its end and does not stay in the holder’s memory', async () => {
    const [holder = 0] = lab.holders();
    const before = residentMb(holder);
    const ran = await bash.run('seq 1 2000000; echo done', { lines: 2 });
    expect(ran).toMatchObject({ kind: 'completed', exitCode: 0, output: '2000000\ndone' });
    expect(ran.leftOut).not.toEqual([]);
    expect(residentMb(holder) - before).toBeLessThan(40);
  });

  it('with wide and combining characters has correct columns', async () => {
    const begun = await begin(String.raw`printf '漢字e\u0301😀|'; read -r -n 1; printf '\n'`);
    expect(begun.output).toBe('漢字é😀|'.normalize('NFD'));
    const view = await lab.port.view(bash.id);
    const { screen } = await view.read({ deadlineMs: 5000, scrollbackLines: 0 });
    const row = screen.rows.find(({ hasCursor }) => hasCursor);
    expect(row?.text.normalize('NFC')).toBe('漢字é😀|');
    expect(screen.cursor.column).toBe(2 + 2 + 1 + 2 + 1);
    await bash.type('x');
    await bash.reaches('idle');
  });

  it('of non-text bytes is kept unchanged, and the terminal keeps working', async () => {
    const junk = Buffer.from(Array.from({ length: 200_000 }, (_, index) => noise(index)));
    writeFileSync(lab.path('junk'), junk);
    const ran = await bash.run('cat junk');
    const shown = Buffer.from(junk.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    expect((await bash.bytesOf(ran)).equals(shown)).toBe(true);
    expect(await bash.run("printf '\\033c'; echo fine")).toMatchObject({ kind: 'completed', exitCode: 0 });
    expect(await bash.run('echo fine')).toMatchObject({ output: 'fine' });
  });
});

/** The same bytes each time, including all values. */
function noise(index: number): number {
  const mixed = Math.imul(index ^ (index >>> 7), 0x9e3779b1);
  return (mixed >>> 19) & 0xff;
}
