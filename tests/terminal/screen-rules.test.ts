import { describe, expect, test } from 'vitest';
import { judgeSent } from '../../src/terminal/desktop/screen-rules.ts';
import type { Sent } from '../../src/ports/screen.ts';
import { handleKey, type TreeNode } from '../../src/model/tree/node.ts';
import { diffTrees } from '../../src/engine/evidence/window-diff.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { readScreen } from '../../src/terminal/screen/screen.ts';
import { ScreenComparer } from '../../src/terminal/screen/screen-changes.ts';
import { screenTree } from '../../src/terminal/desktop/screen-tree.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';

/** The judgement of a screen that showed `before` and to which `then` was written after `sent` was typed. */
async function judged(before: string, then: string, sent: Sent | undefined) {
  const emulator = new TerminalEmulator({ size: { columns: 40, rows: 6 } });
  const look = (): TreeNode => screenTree({ app: 'terminal:1', name: 'x', screen: readScreen(emulator) });
  await emulator.feed(Buffer.from(before));
  const was = look();
  const comparer = new ScreenComparer(was);
  await emulator.feed(Buffer.from(then));
  const is = look();
  emulator.dispose();
  const reading = (root: TreeNode) => ({ root, complete: true });
  return judgeSent(
    {
      trees: { before: was, after: is },
      changes: diffTrees(reading(was), reading(is)),
      reported: new Set(comparer.next(is, 0).map(({ node }) => handleKey(node))),
    },
    sent,
  );
}

const keys = (text: string): Sent => ({ keys: parseKeyCombination(text) });
const FULL = '\u001B[?1049h\u001B[H';

describe('is confirmed', () => {
  test.each<readonly [string, string, string, Sent]>([
    ['text at a prompt', '$ ', 'ls -l', { text: 'ls -l' }],
    ['text of wide characters', '漢$ ', '字e\u0301😀', { text: '字e\u0301😀' }],
    ['text between others', '$ ab\b', 'x\u001B[Kb\b', { text: 'x' }],
    ['a line that is run', '$ ', 'ls\r\none\r\n$ ', { text: 'ls\n' }],
    ['a line that was typed before', '$ ls', '\r\none\r\n$ ', keys('Enter')],
    ['an interrupt', '$ sleep 9\r\n', '^C\r\n$ ', keys('ctrl+c')],
    ['a character', '$ ', 'a', keys('a')],
    ['the cursor on its line', '$ abc', '\b', keys('ArrowLeft')],
    ['the beginning of the line', '$ abc', '\u001B[3G', keys('ctrl+a')],
    ['another line from the history', '$ ls', '\r\u001B[K$ make', keys('ArrowUp')],
    ['a full-screen program that comes up', '$ vi', `\r\n${FULL}text`, keys('Enter')],
    ['one that goes', `$ vi\r\n${FULL}text`, '\u001B[?1049l$ ', keys('q')],
    [
      'the cursor in a text',
      `${FULL}one\r\ntwo\r\n\u001B[7m1,1\u001B[m\u001B[H`,
      '\u001B[3;1H\u001B[7m2,1\u001B[m\u001B[2;1H',
      keys('j'),
    ],
    [
      'the cursor among lines that differ in numbers alone',
      `${FULL}line 1\r\nline 2\u001B[H`,
      '\u001B[2;1H',
      keys('j'),
    ],
    [
      'what is selected',
      `${FULL}\u001B[?25l\u001B[7mone\u001B[m\r\ntwo\r\nsix`,
      '\u001B[Hone\r\n\u001B[7mtwo\u001B[m',
      keys('j'),
    ],
  ])('%s', async (_what, before, then, sent) => {
    expect(await judged(before, then, sent)).toMatchObject({ effect: 'confirmed' });
  });
});

describe('is not confirmed', () => {
  test.each<readonly [string, string, string, Sent | undefined]>([
    ['nothing', '$ ', '', { text: 'ls' }],
    ['stars in place of what was typed', 'Password: ', '***', { text: 'abc' }],
    ['output of something else', '$ ', 'built 3 of 9\r\n$ ', { text: 'ls' }],
    ['output where the cursor was, that begins alike', '', 'lost\r\n', { text: 'l' }],
    ['output after which the cursor stands there', '', 'loading', keys('l')],
    ['a line of a log, for Enter', 'line 1\r\n', 'line 2\r\n', keys('Enter')],
    ['a line of a log, for a key', 'line 1\r\n', 'line 2\r\n', keys('PageDown')],
    ['inverse output', '$ ', '\u001B[7mdone\u001B[m\r\n$ ', keys('F5')],
    [
      'a screen drawn anew',
      `${FULL}a 1\r\nb 1\r\nc 1\r\nd 1`,
      '\u001B[Ha 2\r\nb 2\r\nc 2\r\nd 22',
      keys('PageDown'),
    ],
    ['a click on a row that changes', `${FULL}\u001B[?25la 1\r\nb 1`, '\u001B[Ha 2', undefined],
  ])('%s', async (_what, before, then, sent) => {
    expect(await judged(before, then, sent)).toMatchObject({ effect: 'unverified' });
  });

  test('output on the line of the cursor, before another read', async () => {
    expect(await judged('12 %', '\r13 %', keys('Tab'))).toMatchObject({ effect: 'unverified' });
    expect(await judged('[=>  ]', '\r[==> ]', keys('Tab'))).toMatchObject({
      effect: 'confirmed',
      reliesOn: { change: { kind: 'changed' } },
    });
  });
});
