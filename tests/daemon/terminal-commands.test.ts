import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { untilKeptBy } from './mcp-support.ts';
import { isAlive, kill } from './support.ts';
import { useTerminalLab } from './support-terminals.ts';
import { until } from '../until.ts';

const lab = useTerminalLab();
const at = (name: string) => join(lab().projects.one, name);

describe('desk terminal', () => {
  it('runs commands in one shell, even if the daemon is killed in between', async () => {
    const first = await lab().terminal(['execute', 'X=5; echo $$ > pid; false']);
    expect(first).toMatchObject({ success: true, exit_code: 1, tag: 'app', state: 'idle' });
    const shell = readFileSync(at('pid'), 'utf8');
    const daemon = lab().daemonPid;
    kill(daemon);
    await until(() => !isAlive(daemon ?? 0), 'the daemon is gone');
    const second = await lab().terminal(['execute', 'echo "$X $$" | tee again']);
    expect(lab().daemonPid).not.toBe(daemon);
    expect(readFileSync(at('again'), 'utf8')).toBe(`5 ${shell}`);
    expect(second).toMatchObject({ exit_code: 0, output: `5 ${shell.trim()}` });
    // It must not exit while there are terminals.
    await untilKeptBy(lab(), /^1 terminal$/);
  });

  it('has two sessions for one tag in two projects with the same name', async () => {
    const { one, other } = lab().projects;
    const [a, b] = await Promise.all(
      [one, other].map((project) =>
        lab().terminal(['execute', 'pwd; echo $$ > shell', '--tag', 'same'], project),
      ),
    );
    expect([a?.output, b?.output]).toEqual([one, other]);
    expect(readFileSync(join(one, 'shell'), 'utf8')).not.toBe(readFileSync(join(other, 'shell'), 'utf8'));
    const { stdout } = await lab().desk(['terminal', 'list', '--format', 'outline']);
    expect(stdout.match(/app \/ same \(Idle\)/g)).toHaveLength(2);
  });

  it('leaves a slow command running, refuses another, and ends the first on request', async () => {
    const long = ['execute', 'echo begun; sleep 1000 & echo $! > sleeper; wait', '--tag', 'busy'];
    const late = await lab().desk([
      'terminal',
      ...long,
      '--timeout-seconds',
      '1',
      '--project-path',
      lab().projects.one,
      '--format',
      'text',
    ]);
    expect(late.exitCode).toBe(7);
    expect(late.stdout).toMatch(
      /^Terminator: Command timed out after 1 seconds in session 'app \/ busy'\. Output may be incomplete\. Output:\nbegun\n/,
    );
    const sleeper = Number(readFileSync(at('sleeper'), 'utf8'));
    expect(await lab().failure(['execute', 'touch refused', '--tag', 'busy'])).toEqual({
      exitCode: 11,
      code: 'TERMINAL_BUSY',
    });
    expect(existsSync(at('refused'))).toBe(false);
    expect(isAlive(sleeper)).toBe(true);
    const next = await lab().terminal(['execute', 'touch taken', '--tag', 'busy', '--interrupt']);
    expect(next).toMatchObject({ success: true, exit_code: 0 });
    expect(existsSync(at('taken'))).toBe(true);
  });

  it('leaves a command in the background that is read and ended later', async () => {
    const command = 'for i in 1 2 3; do echo line $i; done; echo $$ > bg; exec sleep 1000';
    const started = await lab().terminal([
      'execute',
      `(${command})`,
      '--tag',
      'bg',
      '--background',
      '--timeout-seconds',
      '1',
    ]);
    expect(started.message).toMatch(/^Terminator: Command started in background in session 'app \/ bg'\./);
    await until(() => existsSync(at('bg')), 'it has printed');
    expect((await lab().terminal(['read', '--tag', 'bg', '--lines', '3'])).output).toContain('line 3');
    const part = await lab().terminal(['output', '--tag', 'bg', '--pattern', '^line 2']);
    expect(part.output).toContain('line 2');
    expect((await lab().terminal(['kill', '--tag', 'bg'])).message).toContain('successfully terminated');
    const after = await lab().terminal(['execute', 'echo free', '--tag', 'bg']);
    expect(after).toMatchObject({ output: 'free', exit_code: 0 });
  });

  it('never types a secret', async () => {
    const command = 'read -s -p "Password: " x; echo "[$x]" > got';
    const asks = await lab().terminal(['execute', command, '--tag', 'secret']);
    expect(asks).toMatchObject({ success: true, state: 'waiting_for_secret' });
    expect(asks.message).toContain('The user must type it');
    expect(await lab().failure(['send', 'hunter2', '--keys', 'Enter', '--tag', 'secret'])).toEqual({
      exitCode: 10,
      code: 'POLICY_DENIED',
    });
    await lab().terminal(['kill', '--tag', 'secret']);
    expect(existsSync(at('got')) ? readFileSync(at('got'), 'utf8') : '').not.toContain('hunter2');
  });

  it('answers the prompts of npm init', async () => {
    const asks = await lab().terminal(['execute', 'npm init', '--tag', 'npm', '--timeout-seconds', '30']);
    expect(asks).toMatchObject({ state: 'waiting_for_line' });
    expect(asks.message).toContain('package name');
    await lab().terminal(['send', 'terminal-of-mine', '--keys', 'Enter', '--tag', 'npm']);
    for (let tries = 0; tries < 15 && !existsSync(at('package.json')); tries += 1)
      await lab().terminal(['send', '--keys', 'Enter', '--tag', 'npm']);
    await until(() => existsSync(at('package.json')), 'the file is written');
    expect(JSON.parse(readFileSync(at('package.json'), 'utf8'))).toMatchObject({ name: 'terminal-of-mine' });
  });

  it('shows a full-screen program that keys can quit', async () => {
    writeFileSync(at('long'), Array.from({ length: 200 }, (_, line) => `row ${line}\n`).join(''));
    const shown = await lab().terminal(['execute', 'less long', '--tag', 'pager']);
    expect(shown).toMatchObject({ success: true, state: 'full_screen' });
    const { output, screen } = await lab().terminal(['screen', '--tag', 'pager']);
    expect(output).toMatch(/^row 0\nrow 1\n/);
    expect(screen).toMatchObject({ columns: 120, rows: 40, is_alternate: true });
    expect((await lab().terminal(['send', '--keys', 'G', '--tag', 'pager'])).output).toContain('row 199');
    const left = await lab().terminal(['send', 'q', '--tag', 'pager']);
    expect(left.output).not.toContain('row 199');
    expect(await lab().terminal(['execute', 'echo back', '--tag', 'pager'])).toMatchObject({
      output: 'back',
    });
  });

  it('confines a session to its project', async () => {
    const elsewhere = join(lab().folder, 'elsewhere');
    const command = `touch inside; touch ${elsewhere}; echo done`;
    const answer = await lab().terminal(['execute', command, '--tag', 'kept', '--confined']);
    expect(answer).toMatchObject({ is_confined: true, exit_code: 0 });
    expect(existsSync(at('inside'))).toBe(true);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('prints the bare output as text and finds nothing after it is closed', async () => {
    const { one } = lab().projects;
    const run = (...args: string[]) =>
      lab().desk(['terminal', ...args, '--tag', 'last', '--project-path', one]);
    expect(await run('execute', 'printf "a\\nb\\n"', '--format', 'text')).toEqual({
      exitCode: 0,
      stdout: 'a\nb\n',
      stderr: '',
    });
    expect((await run('close')).exitCode).toBe(0);
    expect((await run('read')).exitCode).toBe(6);
  });
});
