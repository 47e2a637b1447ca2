import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { TerminalWorld } from './terminal-world.ts';
import { spelled } from '../spelled.ts';

const SHELL = 'PS1="ready> " exec bash --norc --noprofile';

let folder = '';
let world: TerminalWorld;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'terminals-'));
  world = new TerminalWorld(folder);
});
afterEach(async () => {
  await world.end();
  // A terminal that has just ended may still write there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

type Answer = Record<string, unknown>;

const call = (name: string, input: object, app = world.app): Promise<Answer> =>
  app.call('default', name, input);

async function failureOf(name: string, input: object): Promise<object> {
  const error: unknown = await call(name, input).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof DeskterityError)) throw new Error(`${name} did not fail`, { cause: error });
  const { code, suggestion } = error;
  return { name, code, suggestion };
}

async function outline(name: string, input: object): Promise<string> {
  return (await world.app.execute('default', name, input, { format: 'outline' })).stdout;
}

test('a shell is read, typed into and waited for by its tag and ref, without any desktop', async () => {
  world.run('build', SHELL);
  await call('wait', { text: 'ready>', terminal: 'build' });
  expect(await outline('snapshot', { terminal: 'build' })).toBe(
    'terminal "test" @t1\n  row "ready>" focused\ncursor c1\n',
  );
  const typed = await call('type', { ref: '@t1', text: 'echo $((6*7)) | tee made\n' });
  expect(typed).toMatchObject({ effect: 'confirmed', target: { ref: '@t1', role: 'terminal' } });
  await call('wait', { text: '42', terminal: '@t1' });
  expect(readFileSync(path.join(folder, 'made'), 'utf8')).toBe('42\n');
  const { matches } = await call('find', { query: '42', exact: true, terminal: 'build' });
  expect(matches).toMatchObject([
    { role: 'row', name: '42', source: 'terminal', ref: expect.stringMatching(/^@e\d+$/) },
  ]);
  expect(await call('get', { property: 'text', ref: '@t1' })).toMatchObject({
    value: 'ready> echo $((6*7)) | tee made\n42\nready>',
  });
  const before = await call('snapshot', { terminal: '@t1' });
  await call('press', { keys: 'ctrl+l', window: '@t1' });
  await call('type', { ref: '@t1', text: 'echo again' });
  const since = await outline('snapshot', { since: before['cursor'] });
  expect(since).toContain('"ready> echo again"');
});

test('refs of elements identify their terminal in every command', async () => {
  world.run('one', 'echo first; exec cat');
  world.run('two', 'echo second; exec cat');
  const refIn = async (tag: string, text: string): Promise<unknown> => {
    const { element } = await call('wait', { text, terminal: tag });
    return (element as Answer)['ref'];
  };
  const [first, second] = [await refIn('one', 'first'), await refIn('two', 'second')];
  expect(first).not.toBe(second);
  expect(await call('get', { property: 'text', ref: first })).toMatchObject({ value: 'first' });
  expect(await call('expect', { ref: second, contains_text: 'second' })).toMatchObject({ passed: true });
  await expect(call('get', { property: 'text', ref: first, terminal: 'two' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  // Two refs of different terminals.
  await expect(call('drag', { from: first, to: second })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  for (const [name, input] of [
    ['toggle', { ref: first }],
    ['set-value', { ref: '@t1', value: 'x' }],
    ['select', { ref: first, value: 'x' }],
    ['hover', { ref: first }],
    ['clear', { ref: '@t1' }],
    ['type', { ref: '@t1', text: 'x', clear_first: true }],
    ['scroll', { direction: 'down', ref: '@t1' }],
    ['screenshot', { element: '@t1' }],
    ['close-window', { window: '@t1' }],
    ['minimize', { window: '@t1' }],
  ] as const)
    expect(await failureOf(name, input)).toMatchObject({
      name,
      code: expect.stringMatching(/^(?:ACTION_NOT_SUPPORTED|NOT_ACTIONABLE)$/),
    });
});

test('another process knows the refs of this one and reuses none of them', async () => {
  world.run('one', 'echo first; exec cat');
  await call('wait', { text: 'first', terminal: 'one' });
  const later = world.another();
  expect(await call('get', { property: 'text', ref: '@t1' }, later)).toMatchObject({ value: 'first' });
  expect(await call('get', { property: 'text', ref: '@e1' }, later)).toMatchObject({ value: 'first' });
  world.run('two', 'echo second; exec cat');
  await call('wait', { text: 'second', terminal: 'two' }, later);
  expect(await call('get', { property: 'text', ref: '@t2' })).toMatchObject({ value: 'second' });
  expect(await call('get', { property: 'text', ref: '@e2' })).toMatchObject({ value: 'second' });
  await later.close();
});

test('a terminal that has ended is not found, and its ref is never reused', async () => {
  const terminal = world.run('one', 'echo first; exec cat');
  const { element } = await call('wait', { text: 'first', terminal: 'one' });
  const { ref } = element as Answer;
  const waiting = call('wait', { gone: '@t1', timeout_ms: 10_000 });
  await terminal.end();
  expect(await waiting).toMatchObject({ gone: '@t1' });
  for (const [name, input] of [
    ['snapshot', { terminal: '@t1' }],
    ['get', { property: 'text', ref }],
    ['press', { keys: 'Enter', terminal: '@t1' }],
    ['press', { keys: 'Enter', terminal: 'one' }],
    ['press', { keys: 'Enter', terminal: '@t7' }],
    ['type', { ref: '@t1', text: 'x' }],
  ] as const)
    expect(spelled(await failureOf(name, input))).toMatchObject({
      name,
      code: 'TERMINAL_NOT_FOUND',
      suggestion: expect.stringContaining('desk terminal list'),
    });
  expect(await call('wait', { gone: ref })).toMatchObject({ gone: ref });
  expect(await call('expect', { ref, exists: false })).toMatchObject({ passed: true });
  world.run('one', 'echo first; exec cat');
  await call('wait', { text: 'first', terminal: 'one' });
  expect(await outline('snapshot', { terminal: 'one' })).toContain('terminal "test" @t2');
});

test('an editor: the cursor, typed text, and the effect of a key elsewhere', async () => {
  const lines = Array.from({ length: 60 }, (_, line) => `${' '.repeat(line % 4)}line ${line}`);
  writeFileSync(path.join(folder, 'text'), `${lines.join('\n')}\n`);
  world.run('vim', 'exec vim -u NONE -i NONE -n -N --cmd "set laststatus=2 ruler showmode" text');
  await call('wait', { text: 'line 5', terminal: 'vim' });
  const moved = await call('press', { keys: 'j', terminal: 'vim' });
  expect(moved).toMatchObject({ effect: 'confirmed', evidence: [expect.stringContaining('the cursor')] });
  // The mode line is no proof that the key caused it: programs write such lines on their own.
  expect(await call('press', { keys: 'i', terminal: 'vim' })).toMatchObject({
    effect: 'unverified',
    changes: [{ kind: 'changed', role: 'row', name: '-- INSERT --' }],
  });
  expect(await call('type', { ref: '@t1', text: 'new ' })).toMatchObject({ effect: 'confirmed' });
  const shown = await outline('snapshot', { terminal: 'vim' });
  expect(shown).toContain(
    '  document\n    | line 0\n    row "new  line 1" focused caret=4\n    |   line 2\n',
  );
  expect(shown).toMatch(/\n {2}status "text \[\+\] .*"\n {2}\| -- INSERT --\ncursor c\d+\n$/);
  await call('press', { keys: 'Escape', terminal: 'vim' });
  const left = await call('type', { ref: '@t1', text: ':wq\n' });
  expect(readFileSync(path.join(folder, 'text'), 'utf8')).toContain('\nnew  line 1\n');
  expect(left).toMatchObject({ delivered: true });
});

test('output of a busy program confirms nothing', async () => {
  // Redraws a full screen four times a second and ignores keys.
  world.run(
    'busy',
    String.raw`stty -echo; printf '\033[?1049h'; i=0; while :; do i=$((i+1)); printf '\033[H'; for row in 1 2 3 4 5 6; do echo "row $row at $i"; done; sleep 0.25; done`,
  );
  // Writes line after line.
  world.run('log', 'stty -echo; i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.2; done');
  await call('wait', { text: 'row 6', terminal: 'busy' });
  await call('wait', { text: 'line 3', terminal: 'log' });
  for (const terminal of ['busy', 'log'])
    for (const keys of ['PageDown', 'Enter', 'j', 'ArrowDown'])
      expect({ keys, terminal, ...(await call('press', { keys, terminal })) }).toMatchObject({
        keys,
        effect: 'unverified',
      });
});

test('a menu: the selection moves', async () => {
  world.run('menu', `exec sh ${path.join(import.meta.dirname, '../terminal/streams/menu.sh')}`);
  await call('wait', { text: 'program-15', terminal: 'menu' });
  expect(await outline('snapshot', { terminal: 'menu' })).toMatch(/".*program-1" .*selected/);
  expect(await call('press', { keys: 'j', terminal: 'menu' })).toMatchObject({
    effect: 'confirmed',
    evidence: [expect.stringMatching(/program-2.* is selected/)],
  });
});
