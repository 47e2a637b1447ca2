import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { envelope } from './support.ts';
import { useTerminalLab } from './support-terminals.ts';
import { until } from '../until.ts';

const lab = useTerminalLab();

/** The output of a command without a display. */
async function desk(...args: readonly string[]) {
  const ran = await lab().desk(args, { DISPLAY: undefined, WAYLAND_DISPLAY: undefined });
  return { ...ran, answer: ran.stdout.startsWith('{') ? envelope(ran) : undefined };
}

/** The reference of the terminal in which a command was started. */
async function started(tag: string, ...command: readonly string[]): Promise<string> {
  await lab().terminal(['execute', '--tag', tag, '--timeout-seconds', '3', ...command]);
  const { sessions = [] } = await lab().terminal(['list']);
  const ref = sessions.find((session) => session.tag === tag)?.ref;
  if (ref === undefined) throw new Error(`there is no reference of ${tag}`);
  return ref;
}

describe('the screen of a terminal', () => {
  it('is read and typed into by references, also with the next daemon and without one', async () => {
    const ref = await started('build', 'echo ready');
    const snapshot = await desk('snapshot', '--terminal', ref, '--format', 'outline');
    expect(snapshot.stdout).toMatch(/^terminal ".*build" @t\d+\n(?: .*\n)* {2}\| ready\n/);
    expect((await desk('terminal', 'list', '--format', 'outline')).stdout).toContain(`\n${ref} build\n`);
    const typed = await desk('type', ref, 'echo $((6*7)) > made\n');
    expect(typed.answer).toMatchObject({ effect: 'confirmed', target: { ref } });
    const made = join(lab().projects.one, 'made');
    await until(() => existsSync(made) && readFileSync(made, 'utf8') === '42\n', 'the command has run');
    const { answer } = await desk('wait', '--text', 'echo $((6*7))', '--terminal', ref);
    expect(answer).toMatchObject({ element: { ref: '@e1', source: 'terminal', role: 'row' } });
    await lab().desk(['daemon', 'restart']);
    expect((await desk('get', 'text', '@e1', '--format', 'text')).stdout).toContain('echo $((6*7))');
    const alone = await desk('get', 'text', ref, '--no-daemon', '--format', 'text');
    expect(alone.stdout).toContain('ready\n');
    await lab().terminal(['close', '--tag', 'build']);
    expect((await desk('get', 'text', '@e1')).answer).toMatchObject({
      error: { code: 'TERMINAL_NOT_FOUND' },
    });
    expect((await desk('wait', '--gone', ref)).answer).toMatchObject({ ok: true, gone: ref });
  });

  it('of an editor allows moving, writing and quitting', async () => {
    const file = join(lab().projects.one, 'text');
    writeFileSync(file, 'alpha\nbeta\ngamma\n');
    const ref = await started('edit', '--background', 'vim -u NONE -i NONE -n -N text');
    await desk('wait', '--text', 'gamma', '--terminal', ref);
    expect((await desk('press', 'j', '--terminal', ref)).answer).toMatchObject({ effect: 'confirmed' });
    await desk('press', 'i', '--terminal', ref);
    expect((await desk('type', ref, 'new ')).answer).toMatchObject({ effect: 'confirmed' });
    await desk('press', 'Escape', '--terminal', ref);
    await desk('type', ref, ':wq\n');
    await until(() => readFileSync(file, 'utf8') === 'alpha\nnew beta\ngamma\n', 'it is saved');
  });

  it('is not typed to while a secret is read', async () => {
    const ref = await started('secret', '--background', 'read -s -p "Password: " x');
    await desk('wait', '--text', 'Password:', '--terminal', ref);
    const { answer } = await desk('type', ref, 'swordfish\n');
    expect(answer).toMatchObject({ error: { code: 'POLICY_DENIED' } });
    expect((await desk('get', 'text', ref, '--format', 'text')).stdout).not.toContain('swordfish');
  });
});
