import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { renderOutline } from '../../src/model/tree/outline.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import { TerminalDesktop } from '../../src/terminal/desktop/terminal-desktop.ts';
import { MemoryStore } from '../engine/support/memory-store.ts';
import { RealTerminal } from './support/real-terminal.ts';

const DEADLINE = { deadlineMs: 10_000 };
/** For programs on a busy machine. */
const SOON = { timeout: 10_000 };
const VIEW = {
  ...DEADLINE,
  includeBounds: false,
  includeActions: false,
  interactiveOnly: false,
  compact: false,
  wholeTree: false,
  form: 'outline',
} as const;

const clock = createClock();
let folder = '';
let terminal: RealTerminal | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'terminal-'));
});
afterEach(async () => {
  await terminal?.end();
  // A shell may still write its history while the folder is being emptied.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

async function run(command: string): Promise<Engine> {
  terminal = new RealTerminal(command, folder);
  const desktop = new TerminalDesktop(terminal, clock);
  return createEngine({ desktop, session: new MemoryStore(), clock });
}

async function outline(engine: Engine): Promise<string> {
  const { tree } = await engine.snapshot(VIEW);
  return renderOutline(tree);
}

const file = (name: string) => path.join(folder, name);

describe('desktop commands on a shell', () => {
  test('type, press, wait and find run a typed command', { timeout: 60_000 }, async () => {
    const engine = await run('PS1="ready> " exec bash --norc --noprofile');
    await engine.waitForText({ ...DEADLINE, text: 'ready>' });
    const [found] = (
      await engine.find({ ...DEADLINE, by: 'auto', role: 'terminal', limit: 5, wholeTree: false })
    ).matches;
    const ref = found?.ref ?? '';
    const typed = await engine.type({
      ...DEADLINE,
      ref,
      text: 'echo one two > made',
      delayMs: 0,
      clearFirst: false,
    });
    expect(typed.effect).toBe('confirmed');
    expect(existsSync(file('made'))).toBe(false);
    await engine.press({ ...DEADLINE, ref, keys: parseKeyCombination('Enter') });
    await expect
      .poll(() => existsSync(file('made')) && readFileSync(file('made'), 'utf8'), SOON)
      .toBe('one two\n');
    await engine.type({ ...DEADLINE, ref, text: 'seq 1 40\n', delayMs: 0, clearFirst: false });
    await engine.waitForText({ ...DEADLINE, text: '40' });
    // The text is also in the command, so the prompt may come later.
    await expect.poll(() => outline(engine), SOON).toContain('row "ready>" focused');
  });

  test('ctrl+c ends the running command', { timeout: 60_000 }, async () => {
    const engine = await run('PS1="ready> " exec bash --norc --noprofile');
    await engine.waitForText({ ...DEADLINE, text: 'ready>' });
    const all = { by: 'auto', role: 'terminal', limit: 1, wholeTree: false } as const;
    const ref = (await engine.find({ ...DEADLINE, ...all })).matches[0]?.ref ?? '';
    await engine.type({
      ...DEADLINE,
      ref,
      text: 'sleep 1000; echo $? > code\n',
      delayMs: 0,
      clearFirst: false,
    });
    await engine.press({ ...DEADLINE, ref, keys: parseKeyCombination('ctrl+c') });
    await engine.type({ ...DEADLINE, ref, text: 'echo $? > code\n', delayMs: 0, clearFirst: false });
    await expect
      .poll(() => existsSync(file('code')) && readFileSync(file('code'), 'utf8'), SOON)
      .toBe('130\n');
  });

  test('a ref follows its line while it scrolls', { timeout: 60_000 }, async () => {
    const engine = await run('PS1="ready> " exec bash --norc --noprofile');
    await engine.waitForText({ ...DEADLINE, text: 'ready>' });
    const ref =
      (await engine.find({ ...DEADLINE, by: 'auto', role: 'terminal', limit: 1, wholeTree: false }))
        .matches[0]?.ref ?? '';
    await engine.type({
      ...DEADLINE,
      ref,
      text: 'clear; echo needle$((40+2))\n',
      delayMs: 0,
      clearFirst: false,
    });
    await engine.waitForText({ ...DEADLINE, text: 'needle42' });
    const look = async () =>
      (await engine.find({ ...DEADLINE, query: 'needle42', by: 'exact', limit: 5, wholeTree: true })).matches;
    const [needle] = await look();
    await engine.type({ ...DEADLINE, ref, text: 'seq 1 15\n', delayMs: 0, clearFirst: false });
    await engine.waitForText({ ...DEADLINE, text: '15' });
    const moved = await engine.describe({ ...DEADLINE, ref: needle?.ref ?? '' });
    expect(moved.node).toMatchObject({ role: 'row', name: 'needle42' });
    await engine.type({ ...DEADLINE, ref, text: 'seq 100 150\n', delayMs: 0, clearFirst: false });
    await engine.waitForText({ ...DEADLINE, text: '150' });
    expect((await look()).map((match) => match.ref)).toEqual([needle?.ref]);
    expect((await engine.describe({ ...DEADLINE, ref: needle?.ref ?? '' })).onScreen).toBe(false);
  });
});

describe('desktop commands on full-screen programs', () => {
  test('a click reaches the row, as the editor records in a file', { timeout: 60_000 }, async () => {
    writeFileSync(file('text'), 'alpha\nbeta\ngamma\ndelta\n');
    const engine = await run(
      'exec vim -u NONE -i NONE -n -N --cmd "set mouse=a ttymouse=sgr laststatus=2" text',
    );
    await engine.waitForText({ ...DEADLINE, text: 'gamma' });
    expect(await outline(engine)).toMatch(/listitem "gamma" @e\d+/);
    const rows = await engine.find({ ...DEADLINE, query: 'gamma', by: 'exact', limit: 5, wholeTree: false });
    const receipt = await engine.click({ ...DEADLINE, ref: rows.matches[0]?.ref ?? '' });
    expect(receipt.via).toMatch(/^terminal:click\(/);
    await engine.press({ ...DEADLINE, keys: parseKeyCombination('d') });
    await engine.press({ ...DEADLINE, keys: parseKeyCombination('d') });
    await engine.press({ ...DEADLINE, keys: parseKeyCombination('shift+z') });
    await engine.press({ ...DEADLINE, keys: parseKeyCombination('shift+z') });
    await expect.poll(() => readFileSync(file('text'), 'utf8')).toBe('alpha\nbeta\ndelta\n');
  });

  test('a program that does not track the mouse cannot be clicked', { timeout: 60_000 }, async () => {
    writeFileSync(file('text'), Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n'));
    const engine = await run('LESS= exec less text');
    await engine.waitForText({ ...DEADLINE, text: 'line 5' });
    const rows = await engine.find({ ...DEADLINE, query: 'line 5', by: 'exact', limit: 5, wholeTree: false });
    const clicked = engine.click({ deadlineMs: 3000, ref: rows.matches[0]?.ref ?? '' });
    await expect(clicked).rejects.toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
    const paged = await engine.press({ ...DEADLINE, keys: parseKeyCombination('PageDown') });
    // A program such as top would have changed as much on its own.
    expect(paged.effect).toBe('unverified');
    expect(paged.changes).toContainEqual({ kind: 'changed', role: 'row', name: 'line 30' });
    await engine.waitForText({ ...DEADLINE, text: 'line 40' });
    const seen = await engine.find({ ...DEADLINE, query: 'line 5', by: 'exact', limit: 5, wholeTree: false });
    expect(seen.matches).toEqual([]);
  });

  test('the selected row of a list moves with the keys', { timeout: 60_000 }, async () => {
    const engine = await run(`exec sh ${path.join(import.meta.dirname, 'streams/menu.sh')}`);
    await engine.waitForText({ ...DEADLINE, text: 'program-15' });
    expect(await outline(engine)).toMatch(/listitem ".*program-1" @e\d+ selected/);
    const receipt = await engine.press({ ...DEADLINE, keys: parseKeyCombination('j') });
    expect(receipt.effect).toBe('confirmed');
    expect(await outline(engine)).toMatch(/listitem ".*program-2" @e\d+ selected/);
  });
});
