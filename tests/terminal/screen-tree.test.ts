import { describe, expect, test } from 'vitest';
import type { TreeNode } from '../../src/model/tree/node.ts';
import { readLines, readScreen } from '../../src/terminal/screen/screen.ts';
import { cellAt, isLinePath, screenTree } from '../../src/terminal/desktop/screen-tree.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { play } from './support/streams.ts';

function treeOf(terminal: TerminalEmulator, withScrollback = false): TreeNode {
  return screenTree({
    app: 'terminal:1',
    name: 'shell',
    screen: readScreen(terminal),
    ...(withScrollback ? { scrollback: readLines(terminal, 1000) } : {}),
  });
}

/** The screen as an outline: role, name, states. */
function outline(node: TreeNode, depth = 0): string[] {
  const states = node.states.filter((state) => state === 'focused' || state === 'selected');
  const line = `${' '.repeat(depth)}${node.role} ${JSON.stringify(node.name)} ${states.join(' ')}`.trimEnd();
  return [line, ...node.children.flatMap((child) => outline(child, depth + 1))];
}

function all(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(all)];
}

function named(root: TreeNode, name: string): TreeNode {
  const found = all(root).find((node) => node.name === name);
  if (found === undefined) throw new Error(`There is no ${name} in ${outline(root).join('\n')}`);
  return found;
}

async function shell(text: string, scrollbackLines = 100): Promise<TerminalEmulator> {
  const terminal = new TerminalEmulator({ size: { columns: 20, rows: 5 }, scrollbackLines });
  await terminal.feed(Buffer.from(text));
  return terminal;
}

describe('screens of real programs', () => {
  test('vim: text, status bar, command line', async () => {
    const root = treeOf(await play('vim'));
    const lines = outline(root);
    expect(lines.slice(0, 5)).toEqual([
      'terminal "shell"',
      ' document ""',
      '  row "  1 a line of the text"',
      '  row "  2 a line of the text"',
      '  row "  hello 3 a line of the text" focused',
    ]);
    expect(lines).toContain('  row "wide 漢字かな and e\u0301 and 😀, then a tab: here"');
    expect(lines).toContain(`  row "long ${'0123456789'.repeat(12)}"`);
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/^ {1}status "text.txt \[\+\] +3,9 +Top"$/),
      ' group ""',
      '  row "-- INSERT --"',
    ]);
    expect(named(root, '  hello 3 a line of the text')).toMatchObject({
      source: 'terminal',
      caret: '  hello '.length,
      bounds: { x: 16, y: 32, width: 26 * 8, height: 16 },
    });
  });

  test('vim: the selection, including its end under the cursor', async () => {
    const selected = all(treeOf(await play('vim-selection'))).filter(({ states }) =>
      states.includes('selected'),
    );
    expect(selected.map(({ role, name }) => [role, name])).toEqual([
      ['row', '  5 a line of the text'],
      ['row', '  6 a line of the text'],
    ]);
  });

  test('less: its prompt', async () => {
    expect(outline(treeOf(await play('less'))).at(-1)).toBe(' row ":" focused');
    expect(outline(treeOf(await play('less-end'))).at(-1)).toBe(' status "(END)" focused');
  });

  test('top: figures, header and list, although it uses the normal screen', async () => {
    const terminal = treeOf(await play('top'));
    expect(terminal.nativeRole).toBe('normal screen');
    expect(terminal.children.map(({ role }) => role)).toEqual(['group', 'status', 'log']);
    expect(terminal.children[1]?.name).toMatch(/^ +PID USER .* COMMAND$/);
    expect(terminal.children[2]?.children.map(({ name }) => name.split(' ').at(-1))).toEqual([
      'sleep',
      'sleep',
    ]);
  });

  test('a list with a selected row between bars', async () => {
    const root = treeOf(await play('menu'));
    expect(root.children.map(({ role }) => role)).toEqual(['group', 'status', 'document']);
    const selected = all(root).filter(({ states }) => states.includes('selected'));
    expect(selected.map(({ name }) => name)).toEqual(['  103 user        3.0 program-3']);
  });

  test('a dialog on a coloured background: the selected entry and button', async () => {
    const selected = all(treeOf(await play('dialog'))).filter(({ states }) => states.includes('selected'));
    expect(selected.map(({ role, name }) => [role, name.trim()])).toEqual([
      ['row', 'desktop   windows and menus'],
      ['option', '< OK >'],
    ]);
    expect(selected[1]?.bounds).toEqual({ x: 27 * 8, y: 13 * 16, width: 48, height: 16 });
  });
});

describe('rows', () => {
  test('keep their handle while they scroll and are in the whole tree when above the screen', async () => {
    const terminal = await shell('one\r\ntwo\r\nthree\r\n');
    const before = named(treeOf(terminal), 'three');
    await terminal.feed(Buffer.from('4\r\n5\r\n6\r\n'));
    const after = named(treeOf(terminal), 'three');
    expect(after.handle).toEqual(before.handle);
    expect(after.bounds?.y).not.toBe(before.bounds?.y);
    await terminal.feed(Buffer.from('7\r\n8\r\n9\r\n'));
    expect(outline(treeOf(terminal)).join()).not.toContain('three');
    const above = named(treeOf(terminal, true), 'three');
    expect(above.handle).toEqual(before.handle);
    expect(above.states).toEqual(['offscreen']);
    expect(above.bounds).toBeUndefined();
  });

  test('form one line when wrapped, even if it begins above the screen', async () => {
    const long = 'abcdefghij'.repeat(4);
    const terminal = await shell(`${long}\r\nend`);
    const before = named(treeOf(terminal), long);
    expect(before.bounds).toEqual({ x: 0, y: 0, width: 160, height: 32 });
    await terminal.feed(Buffer.from('\r\n1\r\n2\r\n3'));
    const after = named(treeOf(terminal, true), long);
    expect(after.handle).toEqual(before.handle);
    expect(after.bounds).toEqual({ x: 0, y: 0, width: 160, height: 16 });
    expect(all(treeOf(terminal, true)).filter(({ name }) => name === long)).toHaveLength(1);
  });

  test('are selected when inverse, exclude concealed text and are left out when blank', async () => {
    const terminal = await shell(
      'a\u001B[8msecret\u001B[mb\r\n\r\n\u001B[7minverse\u001B[m\r\n\u001B[44mblue\u001B[m',
    );
    expect(outline(treeOf(terminal)).slice(1)).toEqual([
      ' row "a      b"',
      ' row "inverse" selected',
      ' row "blue" focused',
    ]);
  });

  test('of the alternate screen get new handles each time it is entered', async () => {
    const terminal = await shell('\u001B[?1049hone');
    const before = named(treeOf(terminal), 'one');
    await terminal.feed(Buffer.from('\u001B[?1049l\u001B[?1049h\u001B[Hone'));
    expect(named(treeOf(terminal), 'one').handle).not.toEqual(before.handle);
  });

  test('right-to-left text keeps the order in which it was written', async () => {
    expect(outline(treeOf(await shell('שלום 12')))).toContain(' row "שלום 12" focused');
  });
});

test('the title of the program names the terminal', async () => {
  expect(treeOf(await shell('\u001B]2;my title\u0007')).name).toBe('my title');
});

test('rows of a full-screen program that tracks the mouse have clickable roles', async () => {
  const terminal = await shell('\u001B[?1049hone');
  expect(named(treeOf(terminal), 'one').role).toBe('row');
  await terminal.feed(Buffer.from('\u001B[?1000h\u001B[?1006h'));
  expect(named(treeOf(terminal), 'one').role).toBe('listitem');
});

test('the caret counts characters, however wide they are', async () => {
  const caretOf = async (text: string) =>
    all(treeOf(await shell(text))).find(({ caret }) => caret !== undefined)?.caret;
  expect(await caretOf('$ ')).toBe(2);
  expect(await caretOf('$ 漢字')).toBe(4);
  expect(await caretOf('$ 漢字\b\b')).toBe(3);
  expect(await caretOf('e\u0301x')).toBe(3);
  expect(await caretOf('hidden\u001B[?25l')).toBeUndefined();
  // In the second row of a wrapped line.
  expect(await caretOf('abcdefghij'.repeat(3))).toBe(30);
});

test('paths of lines are recognised, and no others', () => {
  expect(isLinePath('/line/12')).toBe(true);
  for (const path of [
    '',
    '/',
    '/line/',
    '/line/-1',
    '/line/1e3',
    '/row/2/5',
    '/alternate/1',
    '/line/9999999999999999',
    '/terminal',
    ' /line/1',
  ])
    expect(isLinePath(path)).toBe(false);
});

test('points map to cells', () => {
  const size = { columns: 20, rows: 5 };
  expect(cellAt({ x: 0, y: 0 }, size)).toEqual({ column: 0, row: 0 });
  expect(cellAt({ x: 159, y: 79 }, size)).toEqual({ column: 19, row: 4 });
  expect(cellAt({ x: 160, y: 0 }, size)).toBeUndefined();
  expect(cellAt({ x: -1, y: 0 }, size)).toBeUndefined();
});
