import { describe, expect, it } from 'vitest';
import { compare } from '../../../scripts/proof/reading/compare.ts';
import type { Listed } from '../../../scripts/proof/reading/listed.ts';
import type { Box, Seen, SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import type { Frame } from '../../../scripts/proof/twins/side/frame.ts';
import { node, seen } from '../twins/seen.ts';

const SIZE = 64;

/** A picture in which no place has one colour. */
function busy(): Frame {
  return {
    width: SIZE,
    height: SIZE,
    pixels: Uint32Array.from({ length: SIZE * SIZE }, (_, index) => index),
  };
}

function listed(role: string, words: string, box: Box | undefined, more: Partial<Listed> = {}): Listed {
  const plain = { isUsable: true, isRoot: false, isHidden: false, isElided: false, children: [] };
  return { role, name: words, words, box, ...plain, ...more };
}

const OK: Box = [2, 2, 20, 10];
const TEXT: Box = [2, 20, 40, 10];
const TREE = [node('push button', 'OK', { box: OK }), node('label', 'ready', { box: TEXT })];
const LISTED = [listed('button', 'OK', OK), listed('text', 'ready', TEXT, { isUsable: false })];

function found(
  tree: readonly SeenNode[],
  children: readonly Listed[],
  { frame = busy(), after = tree, change = (look: Seen): Seen => look } = {},
): ReturnType<typeof compare> {
  const root = listed('window', 'Window', [0, 0, SIZE, SIZE], { isRoot: true, children: [...children] });
  const before = change(seen(tree));
  return compare({ before, frame, after: seen(after), listing: { roots: [root], gaps: [] } });
}

describe('comparing a snapshot with what is seen', () => {
  it('accuses nobody if both say the same', () => {
    expect(found(TREE, LISTED)).toEqual({
      seen: 3,
      lost: [],
      listed: 2,
      ghosts: [],
      holes: [],
      unjudged: {},
    });
  });

  it('finds a lost button', () => {
    expect(found(TREE, LISTED.slice(1)).lost).toEqual(['frame > push button "OK" 20×10+2+2']);
  });

  it('finds a text with a link in it, whether it is listed with the words of the link or in parts', () => {
    const words = 'see \uFFFC there';
    const said = 'see the end there';
    const whole = listed('paragraph', said, TEXT, { isUsable: false });
    const paragraph = node('paragraph', '', { text: words, box: TEXT });
    expect(found([paragraph], [whole]).lost).toEqual([]);
    expect(found([paragraph], [listed('paragraph', 'there see', TEXT)]).lost).toHaveLength(1);
    const part = node('static', 'see ', { box: [2, 20, 10, 10] });
    const other = node('static', ' there', { box: [30, 20, 10, 10] });
    const parted = { ...paragraph, children: [part, other] };
    const { lost, unjudged } = found([parted], [listed('text', 'see', [2, 20, 10, 10])]);
    expect(lost).toEqual(['frame > paragraph > static "there" 10×10+30+20']);
    expect(unjudged).toEqual({ 'text of its parts, which are judged': 1 });
  });

  it('finds a lost text, but not one that has become a name', () => {
    const button = LISTED.slice(0, 1);
    expect(found(TREE, button).lost).toEqual(['frame > label "ready" 40×10+2+20']);
    expect(found(TREE, [...button, listed('textbox', 'ready', [0, 20, 60, 12])]).lost).toEqual([]);
  });

  it('finds a lost node in a container that claims not to show', () => {
    const viewport = node('viewport', '', { states: [], box: [0, 0, 60, 60], children: TREE });
    expect(found([viewport], []).lost).toHaveLength(2);
  });

  it('does not miss a hidden dock in which something without a place claims to show', () => {
    const tree = node('tree', '', { box: null });
    const filler = node('filler', '', { states: [], box: null, children: [tree] });
    const dock = node('frame', 'Commands', { states: [], box: [2, 2, 40, 20], children: [filler] });
    expect(found([dock], []).lost).toEqual([]);
  });

  it('does not miss the picture in a cell whose text is listed, but the cell itself', () => {
    const picture = node('table cell', '', { box: [2, 2, 10, 10] });
    const text = node('table cell', 'notes.txt', { box: [14, 2, 40, 10] });
    const cell = node('table cell', '', { box: [2, 2, 52, 10], children: [picture, text] });
    const ours = listed('cell', 'notes.txt', [14, 2, 40, 10]);
    expect(found([cell], [ours]).lost).toEqual([]);
    expect(found([cell], []).lost).toContain('frame > table cell > table cell "" 10×10+2+2');
  });

  it.each([
    ['that does not show', { states: ['sensitive'] }, 'not showing'],
    ['that is outside its window', { box: [2, 80, 20, 10] as Box }, 'clipped'],
  ])('finds a ghost %s', (_, more, why) => {
    const ghost = node('push button', 'Gone', { box: [2, 40, 20, 10], ...more });
    const element = listed('button', 'Gone', ghost.box ?? undefined);
    expect(found([...TREE, ghost], [...LISTED, element]).ghosts).toEqual([
      expect.stringMatching(new RegExp(`^button "Gone" .*: ${why}$`)),
    ]);
  });

  it('finds a ghost without a place', () => {
    const header = node('table column header', 'Size', { box: null });
    expect(found([...TREE, header], [...LISTED, listed('columnheader', 'Size', undefined)]).ghosts).toEqual([
      'columnheader "Size" nowhere: no place',
    ]);
  });

  it('finds a ghost that is scrolled out of a list', () => {
    const row = node('list item', 'Row 9', { box: [2, 50, 30, 10] });
    const scrolled = node('scroll pane', '', { box: [0, 0, 60, 40], children: [row] });
    expect(found([scrolled], [listed('listitem', 'Row 9', [2, 50, 30, 10])]).ghosts).toEqual([
      'listitem "Row 9" 30×10+2+50: clipped',
    ]);
  });

  it('finds the options of a closed combo box', () => {
    const option = node('list item', 'Red', { box: [2, 40, 30, 10] });
    const list = node('list', '', { box: [2, 40, 30, 20], children: [option] });
    const box = node('combo box', 'Colour', { box: [2, 40, 30, 10], children: [list] });
    const ours = listed('combobox', 'Colour', [2, 40, 30, 10], {
      children: [listed('option', 'Red', [2, 40, 30, 10])],
    });
    expect(found([box], [ours]).ghosts).toEqual(['option "Red" 30×10+2+40: closed']);
  });

  it('sees what is in a menu that is a part of a panel, but not what is beyond a closed one', () => {
    const item = (box: Box): SeenNode => node('menu item', 'Passwords', { box });
    const menu = (box: Box): SeenNode => node('menu', '', { box: [2, 30, 40, 20], children: [item(box)] });
    const panel = (box: Box): SeenNode => node('panel', '', { box: [0, 20, 60, 40], children: [menu(box)] });
    const ghosts = (box: Box): readonly string[] =>
      found([panel(box)], [listed('menuitem', 'Passwords', box)]).ghosts;
    expect(ghosts([2, 32, 30, 10])).toEqual([]);
    expect(ghosts([2, 52, 30, 10])).toEqual([expect.stringMatching(/: closed$/)]);
  });

  it('finds a button that nobody drew, but not an empty list', () => {
    const flat = { width: SIZE, height: SIZE, pixels: new Uint32Array(SIZE * SIZE) };
    const list = node('table', 'Rows', { box: TEXT });
    const both = found(
      [node('push button', 'OK', { box: OK }), list],
      [listed('button', 'OK', OK), listed('table', 'Rows', TEXT)],
      { frame: flat },
    );
    expect(both.ghosts).toEqual(['button "OK" 20×10+2+2: flat']);
    expect(both.unjudged).toEqual({ 'empty, or not drawn': 1 });
  });

  it('does not accuse an element that is listed as off the screen', () => {
    const row = node('list item', 'Row 9', { box: [2, 90, 30, 10] });
    expect(
      found([row], [listed('listitem', 'Row 9', row.box ?? undefined, { isHidden: true })]).ghosts,
    ).toEqual([]);
  });

  it('does not judge what changes by itself, what is left out by name, or what another window covers', () => {
    const clock = node('label', '10:01', { box: TEXT });
    expect(found([clock], [], { after: [node('label', '10:02', { box: TEXT })] })).toMatchObject({
      lost: [],
      unjudged: { 'changes by itself': 1 },
    });
    const elided = listed('group', '', TEXT, { isElided: true });
    expect(found([node('label', 'deep', { box: TEXT })], [elided]).lost).toEqual([]);
    const other = { id: 2, title: 'Other', pid: 9, box: [0, 0, SIZE, SIZE] as Box, managed: true };
    const covered = found(TREE, LISTED, {
      change: (look) => ({ ...look, windows: [...look.windows, other] }),
    });
    expect(covered).toMatchObject({ seen: 0, lost: [], listed: 0, ghosts: [] });
  });
});
