import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawScreen } from '../../src/terminal/screen/draw-screen.ts';
import { readScreen } from '../../src/terminal/screen/screen.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { rowsOf, STREAMS, streamFile } from './support/streams.ts';

const SIZE = { columns: 20, rows: 6 };
const WORDS = [
  'word',
  ' ',
  'a line that is longer than the screen',
  '漢字',
  'e\u0301',
  '\r\n',
  '\n',
  '\r',
  '\b',
  '\t',
  '\u001B[31m',
  '\u001B[1;4;7m',
  '\u001B[38;2;1;2;3m',
  '\u001B[48;5;200m',
  '\u001B[0m',
  '\u001B[3;5H',
  '\u001B[K',
  '\u001B[1J',
  '\u001B[2J',
  '\u001B[L',
  '\u001B[M',
  '\u001B[2;4r',
  '\u001B[?1049h',
  '\u001B[?1049l',
  '\u001B[?25l',
  '\u001B[?25h',
  '\u001B[?2004h',
  '\u001B[?1002h',
  '\u001B[?1006h',
  '\u001B[?1h',
  '\u001B=',
  '\u001B]2;a title\u0007',
];
const written = fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((parts) => parts.join(''));

async function after(
  size: typeof SIZE,
  ...pieces: readonly (string | Uint8Array)[]
): Promise<TerminalEmulator> {
  const terminal = new TerminalEmulator({ size });
  for (const piece of pieces) await terminal.feed(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return terminal;
}

function seen(terminal: TerminalEmulator): object {
  const { rows, cursor, modes, isAlternate, title } = readScreen(terminal);
  const shown = rows.map(({ text, top, height, highlight, parts }) => ({
    text,
    top,
    height,
    highlight,
    parts,
  }));
  return { shown, cursor, modes, isAlternate, title, below: terminal.normalCursor };
}

describe('a screen that is redrawn elsewhere', () => {
  test('looks and behaves the same, whatever was written before on either side', async () => {
    await fc.assert(
      fc.asyncProperty(written, written, async (text, before) => {
        const original = await after(SIZE, text);
        const copy = await after(SIZE, before, drawScreen(original));
        expect(seen(copy)).toEqual(seen(original));
      }),
      { numRuns: 60 },
    );
  });

  test.each(STREAMS)('of %s has the same colours and redraws identically', async (name) => {
    const size = { columns: 80, rows: 24 };
    const original = await after(size, readFileSync(streamFile(name)));
    const copy = await after(size, drawScreen(original));
    expect(rowsOf(copy)).toEqual(rowsOf(original));
    expect(drawScreen(copy).toString()).toBe(drawScreen(original).toString());
  });

  test('includes the normal screen behind the alternate one', async () => {
    const original = await after(SIZE, 'behind\r\nprompt $ \u001B[?1049h\u001B[2;2Hbefore');
    const copy = await after(SIZE, drawScreen(original), '\u001B[?1049lnext');
    expect(rowsOf(copy).slice(0, 2)).toEqual(['behind', 'prompt $ next']);
  });
});
