import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ran, request, running, useTerminalsLab, WAITS } from '../terminal/support/terminals-lab.ts';
import { kill } from '../operations/support/operations-lab.ts';
import { until } from '../until.ts';

const lab = useTerminalsLab();
const never = () => new AbortController().signal;

async function opened(changes: Parameters<ReturnType<typeof lab>['start']>[0] = {}) {
  const terminals = lab().terminals();
  const { id } = await terminals.open(lab().start(changes));
  return { terminals, id };
}

describe('commands in terminals', () => {
  it.each(['/bin/bash', '/usr/bin/zsh', '/usr/bin/fish', '/bin/dash', '/bin/ksh'])(
    'in %s have output and exit code of their own, whatever they contain',
    async (shell) => {
      const { terminals, id } = await opened({ shell, tag: 'a tag' });
      expect(await ran(terminals, id, 'echo one')).toMatchObject({
        kind: 'completed',
        exitCode: 0,
        output: 'one',
      });
      expect(await ran(terminals, id, 'echo "a  b"\nfalse')).toMatchObject({ exitCode: 1, output: 'a  b' });
      expect(await ran(terminals, id, 'printf x; sh -c "exit 7"')).toMatchObject({
        exitCode: 7,
        output: 'x',
      });
      const { terminal } = await ran(terminals, id, 'cd /usr');
      expect(terminal).toMatchObject({ state: 'idle', cwd: '/usr', exitCode: 0 });
      await (await terminals.view(id)).write(Buffer.from('echo half a li'), { deadlineMs: 1000 });
      const cleared = await ran(terminals, id, 'echo whole', { interrupt: WAITS });
      expect(cleared).toMatchObject({ kind: 'completed', output: 'whole' });
      const gone = await ran(terminals, id, 'exit 4');
      // fish runs the rest of the line before it exits.
      expect(gone.kind).toBe(shell.endsWith('fish') ? 'completed' : 'shell_ended');
      expect(gone.exitCode).toBe(4);
      await until(async () => (await terminals.list()).length === 0, 'it is gone');
      expect((await terminals.output(id, { tail: 50, maxTokens: 2000 })).text).toContain('a  b');
      await expect(terminals.facts(id)).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
      await expect(ran(terminals, id, 'echo')).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
    },
  );

  it('in the background return their first output and continue', async () => {
    const { terminals, id } = await opened();
    const ended: string[] = [];
    terminals.onCommandEnd(({ command, exitCode }) => ended.push(`${command} ${String(exitCode)}`));
    const command = 'echo first; sleep 0.6; echo second; exit 3';
    const started = await ran(terminals, id, `(${command})`, { isBackground: true, waitMs: 200 });
    expect(started).toMatchObject({ kind: 'started', output: 'first', exitCode: undefined });
    expect(started.terminal).toMatchObject({ state: 'running', running: `(${command})` });
    await expect(ran(terminals, id, 'echo no')).rejects.toMatchObject({
      code: 'TERMINAL_BUSY',
      message: expect.stringContaining('echo first'),
    });
    await until(() => ended.length > 0, 'its end is told');
    expect(ended).toEqual([`(${command}) 3`]);
    const { from = 0 } = started.range ?? {};
    expect((await terminals.output(id, { cursor: from, maxTokens: 500 })).text).toContain('first\nsecond\n');
    const quick = await ran(terminals, id, 'echo quick', { isBackground: true, waitMs: 5000 });
    expect(quick).toMatchObject({ kind: 'completed', output: 'quick' });
    expect(ended).toHaveLength(1);
  });

  it('that take too long continue and can be ended with everything they started', async () => {
    const { terminals, id } = await opened();
    const mark = `47${process.pid}`;
    const script = join(lab().base.scope, 'stubborn.sh');
    writeFileSync(
      script,
      `trap '' INT TERM\n(setsid sh -c "trap '' INT TERM HUP; sleep ${mark}; sleep ${mark}" &)\nsleep ${mark} &\necho ready\nwhile :; do sleep ${mark}; done\n`,
    );
    const late = await ran(terminals, id, `sh ${script}`, { waitMs: 500 });
    expect(late).toMatchObject({ kind: 'timed_out', output: 'ready', exitCode: undefined });
    await until(() => running(`sleep ${mark}`).length >= 3, 'all of it runs');
    expect(await terminals.kill(id, { interruptMs: 100, terminateMs: 100 })).toBeGreaterThanOrEqual(4);
    expect(running(mark)).toEqual([]);
    expect(await ran(terminals, id, 'echo alive')).toMatchObject({ output: 'alive', exitCode: 0 });
    expect(await terminals.kill(id, WAITS)).toBe(0);
    const orphan = `(setsid sleep ${mark} &); while :; do :; done`;
    await ran(terminals, id, orphan, { isBackground: true, waitMs: 100 });
    await until(() => running(`sleep ${mark}`).length === 1, 'the orphan runs');
    expect(await terminals.kill(id, WAITS)).toBeGreaterThanOrEqual(1);
    expect(running(mark)).toEqual([]);
    expect((await ran(terminals, id, 'echo alive')).output).toBe('alive');
  });

  it('are run after ending the current one if requested', async () => {
    const { terminals, id } = await opened();
    const mark = `48${process.pid}`;
    const first = terminals.run(id, request(`sleep ${mark}`), never());
    await until(() => running(`sleep ${mark}`).length === 1, 'it runs');
    const second = await ran(terminals, id, 'echo second', { interrupt: WAITS });
    expect(second).toMatchObject({ kind: 'completed', output: 'second' });
    expect(await first).toMatchObject({ kind: 'completed', exitCode: 130 });
    await (await terminals.view(id)).write(Buffer.from('echo half a li'), { deadlineMs: 1000 });
    await expect(ran(terminals, id, 'echo no')).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
  });

  it('that wait for input are reported at once, with what they wait for', async () => {
    const { terminals, id } = await opened();
    const begun = performance.now();
    const line = await ran(terminals, id, 'read -p "Name: " x; echo "hello $x"');
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(line).toMatchObject({ kind: 'waiting', output: 'Name: ' });
    expect(line.terminal).toMatchObject({ state: 'waiting_for_line', prompt: 'Name: ' });
    const view = await terminals.view(id);
    await view.write(Buffer.from('Ann\r'), { deadlineMs: 1000 });
    await until(async () => (await terminals.facts(id)).state === 'idle', 'it has ended');
    expect((await terminals.lines(id, 2)).text).toContain('hello Ann');
    const secret = await ran(terminals, id, 'read -s -p "Password: " x; echo; echo "${#x}"');
    expect(secret.terminal).toMatchObject({ state: 'waiting_for_secret', prompt: 'Password: ' });
    await expect(view.write(Buffer.from('hunter2\r'), { deadlineMs: 1000 })).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      suggestion: expect.stringContaining('desk terminal attach'),
    });
    const person = await terminals.attach(id, {
      size: { columns: 120, rows: 40 },
      onBytes: () => undefined,
      signal: never(),
    });
    await person.write(Buffer.from('hunter2\r'));
    await until(async () => (await terminals.lines(id, 2)).text === '7\n$', 'the prompt is back');
    expect((await terminals.facts(id)).state).toBe('idle');
    expect((await terminals.output(id, { cursor: 0, maxTokens: 2000 })).text).not.toContain('hunter2');
    const again = await ran(terminals, id, 'read -s -p "Password: " x');
    expect(again.kind).toBe('waiting');
    await view.write(Buffer.from('\u0003'), { deadlineMs: 1000 });
    await until(async () => (await terminals.facts(id)).state === 'idle', 'ctrl-c leads out');
    person.detach();
    expect(await person.ended).toMatchObject({ kind: 'detached' });
  });

  it('that have the full screen are reported; a killed one restores the screen', async () => {
    const { terminals, id } = await opened();
    const text = join(lab().base.scope, 'text');
    writeFileSync(text, Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n'));
    const less = await ran(terminals, id, `less ${text}`);
    expect(less.kind).toBe('waiting');
    expect(less.terminal.state).toBe('full_screen');
    const view = await terminals.view(id);
    const { screen } = await view.read({ deadlineMs: 1000, scrollbackLines: 0 });
    expect(screen.isAlternate).toBe(true);
    expect(screen.rows[0]?.text).toBe('line 0');
    expect(await terminals.kill(id, { interruptMs: 50, terminateMs: 50 })).toBe(1);
    await until(async () => (await terminals.facts(id)).state === 'idle', 'it is back at the prompt');
    const after = await view.read({ deadlineMs: 1000, scrollbackLines: 10 });
    expect(after.screen.isAlternate).toBe(false);
  });

  it('that are killed on the alternate screen return to the normal one', async () => {
    const { terminals, id } = await opened();
    const command = String.raw`sh -c "trap '' INT TERM; stty -icanon -echo; printf '\033[?1049hdrawn'; while :; do sleep 0.1; done"`;
    await ran(terminals, id, 'echo before');
    expect((await ran(terminals, id, command)).terminal.state).toBe('full_screen');
    expect(await terminals.kill(id, { interruptMs: 50, terminateMs: 50 })).toBeGreaterThanOrEqual(1);
    const text = async () => (await terminals.lines(id, 50)).text;
    // The shell prints its prompt after it has learned of the end.
    await expect.poll(text, { timeout: 5000 }).toMatch(/\n\$$/);
    expect(await text()).toMatch(/^\$ echo before\nbefore\n/);
    expect((await ran(terminals, id, 'echo after')).output).toBe('after');
  });

  it('lose no byte, however much they write', async () => {
    const { terminals, id } = await opened();
    const file = join(lab().base.scope, 'large');
    const bytes = Buffer.from(
      Array.from({ length: 30_000 }, (_, index) => `${index} ${'x'.repeat(index % 90)}\n`).join(''),
    );
    writeFileSync(file, bytes);
    const large = await ran(terminals, id, `cat ${file}`, { lines: 20_000 });
    const { from = 0, to = 0 } = large.range ?? {};
    const shown = Buffer.from(await terminals.bytes(id, { from, to })).toString();
    expect(sha(shown.replaceAll('\r\n', '\n'))).toBe(sha(bytes.toString()));
    expect(large.output.split('\n')).toHaveLength(20_000);
    expect(large.output.split('\n').at(-1)).toBe(`29999 ${'x'.repeat(29_999 % 90)}`);
    expect(large.leftOut).toEqual([expect.stringContaining(`cursor ${from}`)]);
    const few = await ran(terminals, id, `cat ${file}`, { lines: 2 });
    expect(few.output.split('\n')).toHaveLength(2);
    expect(few.leftOut).toEqual([expect.stringContaining('29998 earlier lines are left out')]);
    for (let round = 0; round < 20; round += 1)
      expect((await ran(terminals, id, `printf ${'y'.repeat(round)}end`)).output).toBe(
        `${'y'.repeat(round)}end`,
      );
  });

  it('do not follow unread replies at the prompt: the line is cleared first', async () => {
    const { terminals, id } = await opened();
    const ask = String.raw`printf '\033[6n\033[c'`;
    expect((await ran(terminals, id, ask)).kind).toBe('completed');
    expect(await ran(terminals, id, 'echo clean')).toMatchObject({ kind: 'completed', output: 'clean' });
  });

  it('are cancelled only by kill: a caller that disconnects leaves them running', async () => {
    const { terminals, id } = await opened();
    const [begun, flag] = [join(lab().base.scope, 'begun'), join(lab().base.scope, 'flag')];
    const caller = new AbortController();
    const run = terminals.run(id, request(`touch ${begun}; sleep 0.4; touch ${flag}`), caller.signal);
    void until(() => existsSync(begun), 'it runs').then(() => caller.abort());
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
    await until(() => existsSync(flag), 'it went on');
    expect((await ran(terminals, id, 'echo next', { interrupt: WAITS })).output).toBe('next');
  });

  it('start on a cleared screen if requested; the disk keeps everything', async () => {
    const { terminals, id } = await opened();
    await ran(terminals, id, 'seq 300');
    const cleared = await ran(terminals, id, 'echo after', { clear: true });
    expect(cleared.output).toBe('after');
    const shows = async (text: string): Promise<boolean> => (await terminals.lines(id, 50)).text === text;
    await until(() => shows('$ echo after\nafter\n$'), 'only what came after is on the screen');
    await terminals.clear(id);
    expect((await terminals.lines(id, 50)).text).toBe('$');
    expect((await terminals.output(id, { pattern: '^299$', maxTokens: 500 })).text).toContain('299');
  });
});

describe('a terminal that was brought into disorder', () => {
  it('by exec can be used again after kill or interrupt', async () => {
    const { terminals, id } = await opened();
    for (const end of ['kill', 'interrupt']) {
      expect(await ran(terminals, id, 'exec bash --norc')).toMatchObject({ kind: 'waiting' });
      await expect(ran(terminals, id, 'echo x')).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
      if (end === 'kill') await terminals.kill(id, WAITS);
      const interrupt = end === 'kill' ? undefined : WAITS;
      const answer = await ran(terminals, id, 'echo $0; (exit 3)', { interrupt });
      expect(answer).toMatchObject({ kind: 'completed', exitCode: 3, output: 'bash' });
    }
  });

  it('by exec of another program says so, and nothing of SIGKILL', async () => {
    const { terminals, id } = await opened();
    await ran(terminals, id, 'exec /bin/dash -i');
    await expect(terminals.kill(id, WAITS)).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      message: expect.stringMatching(/was replaced by "dash", whose commands cannot be followed/),
    });
    await terminals.close(id, WAITS);
    expect(lab().base.strays()).toEqual([]);
  });

  it('by a damaged record is found, and the record is written again', async () => {
    const { terminals, id } = await opened();
    await ran(terminals, id, 'X=kept');
    const path = join(lab().base.stateFolder, 'terminals', id, 'terminal.json');
    const record = readFileSync(path, 'utf8');
    for (const damage of ['', '{"format":1', '{}']) {
      writeFileSync(path, damage);
      // Another daemon, as this one remembers the holder.
      const other = lab().terminals();
      expect((await other.open(lab().start())).id).toBe(id);
      expect(readFileSync(path, 'utf8')).toBe(record);
      expect((await ran(other, id, 'echo $X')).output).toBe('kept');
    }
    rmSync(path);
    await until(() => existsSync(path), 'the holder has noticed by itself', 15_000);
    expect(await terminals.list()).toHaveLength(1);
  });
});

describe('a long line of output', () => {
  it('is complete or cut with a note, and can be read from its beginning', async () => {
    const { terminals, id } = await opened();
    const answer = await ran(terminals, id, 'echo BEGIN; head -c 200000 /dev/zero | tr "\\0" x; echo END');
    expect([answer.output.length, answer.leftOut]).toEqual([200_009, []]);
    const only = await ran(terminals, id, 'head -c 200000 /dev/zero | tr "\\0" x; echo END', { lines: 1 });
    expect(only.leftOut).toEqual([
      expect.stringMatching(
        /^The beginning of the first line, which is very long, is left out; the whole output/,
      ),
    ]);
    const from = answer.range?.from ?? 0;
    expect((await terminals.output(id, { cursor: from, maxTokens: 500 })).text).toMatch(/^BEGIN\n/);
  });
});

describe('a confined terminal', () => {
  it.each(['landlock', 'bubblewrap'] as const)('by %s reaches only its scope', async (by) => {
    const { home } = lab();
    const start = lab().start();
    const confinement = { ...start.confinement, by, write: [home], network: false, unixSockets: false };
    const terminals = lab().terminals();
    const { id, isConfined } = await terminals.open({ ...start, confinement });
    expect(isConfined).toBe(true);
    const outside = join(lab().base.folder, 'outside');
    const script = `echo in > inside; echo out > ${outside}; ls ${lab().base.stateFolder}; echo $?`;
    const { output } = await ran(terminals, id, script);
    expect(readFileSync(join(lab().base.scope, 'inside'), 'utf8')).toBe('in\n');
    expect(existsSync(outside)).toBe(false);
    expect(output.split('\n').at(-1)).toBe('2');
    expect(await ran(terminals, id, 'sleep 0.1; echo $$')).toMatchObject({ kind: 'completed', exitCode: 0 });
    await expect(terminals.open(start)).rejects.toMatchObject({ code: 'CONFLICT' });
    const { name } = start;
    // A program ends its shell, or the holder is killed: the record on disk remembers.
    await ran(terminals, id, 'exit');
    expect(await terminals.remains(name)).toEqual({ id, isConfined: true });
    const { id: second } = await terminals.open({ ...start, confinement });
    for (const holder of lab().base.holders()) kill(holder);
    await until(async () => (await terminals.find(name)) === undefined, 'it has ended');
    expect(await lab().terminals().remains(name)).toEqual({ id: second, isConfined: true });
    await terminals.close(second, WAITS);
    expect(await terminals.remains(name)).toBeUndefined();
    const { id: third } = await terminals.open({ ...start, confinement });
    await terminals.close(third, WAITS);
    expect(await terminals.remains(name)).toBeUndefined();
    expect(lab().base.strays()).toEqual([]);
  });
});

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the folder that passes commands to the shell', () => {
  const shells = () => join(lab().base.folder, 'run', 'deskterity', 'shells');

  it('is created again after it was removed', async () => {
    const { terminals, id } = await opened();
    await ran(terminals, id, 'true');
    rmSync(join(shells(), id), { recursive: true });
    expect(await ran(terminals, id, 'echo here; (exit 3)')).toMatchObject({
      kind: 'completed',
      exitCode: 3,
      output: 'here',
    });
    await terminals.close(id, WAITS);
    expect(lab().shellFiles()).toEqual([]);
  });

  it('is reported if it is not writable, and the terminal accepts the next command', async () => {
    const { terminals, id } = await opened();
    await ran(terminals, id, 'true');
    const away = `${shells()}-away`;
    renameSync(shells(), away);
    const marker = join(lab().base.scope, 'marker');
    await expect(ran(terminals, id, `touch ${marker}`)).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      message: 'The command could not be passed to the shell (ENOENT) and was not run.',
      delivered: false,
    });
    renameSync(away, shells());
    expect(await ran(terminals, id, 'echo next')).toMatchObject({ kind: 'completed', output: 'next' });
    expect(existsSync(marker)).toBe(false);
    await terminals.close(id, WAITS);
  });
});
