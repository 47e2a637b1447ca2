import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScreen } from '../../src/terminal/screen/screen.ts';
import { screenTree } from '../../src/terminal/desktop/screen-tree.ts';
import { lastLines } from '../../src/terminal/screen/screen.ts';
import { screenText } from './support/screen-text.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { rowsOf, STREAMS, streamFile } from './support/streams.ts';

const SIZE = { columns: 40, rows: 8 };

/** Everything visible. */
function look(terminal: TerminalEmulator): unknown {
  const screen = readScreen(terminal);
  return {
    tree: screenTree({ app: 'terminal', name: 'name', screen }),
    text: screenText(terminal),
    lines: lastLines(terminal, 50),
    cursor: terminal.cursor,
    modes: terminal.modes,
    firstLine: terminal.firstLine,
    answers: Buffer.from(terminal.takeAnswers()).toString('latin1'),
    rows: rowsOf(terminal),
  };
}

async function shown(pieces: readonly Uint8Array[], size = SIZE): Promise<unknown> {
  const terminal = new TerminalEmulator({ size, scrollbackLines: 100 });
  await Promise.all(pieces.map((piece) => terminal.feed(piece)));
  const seen = look(terminal);
  terminal.dispose();
  return seen;
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index] ?? 0, end));
}

const FRAGMENTS = [
  '\u001B[',
  '\u001B]',
  '\u001BP',
  '\u001B\\',
  '\u001B',
  '\u0007',
  '\u0018',
  '\u009B',
  '\u009D',
  ';',
  '?',
  '0',
  '2',
  '3',
  '999999999',
  '1049',
  'h',
  'l',
  'm',
  '7',
  'J',
  'K',
  'H',
  'L',
  'M',
  'S',
  'T',
  'b',
  'r',
  'c',
  '\r',
  '\n',
  '\t',
  '\b',
  'x',
  ' ',
  '漢',
  '\u0301',
  '\u200D',
  '😀',
  '\u202E',
  '\u05D0',
  '\u007F',
  '!p',
  '#8',
  '(0',
  '?1049h',
  '\u001B[?1049l',
  '\u001Bc',
  '\u001B[3J',
  '\u001B[2;3r',
  '$p',
  '8;;',
  '7717;',
];
const terminalText = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 200 })
  .map((parts) => Buffer.from(parts.join('')));
const anything = fc.oneof(terminalText, fc.uint8Array({ maxLength: 400 }));

describe('a screen', () => {
  test('is the same wherever the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(anything, fc.array(fc.nat(), { maxLength: 12 }), async (bytes, places) => {
        expect(await shown(cutAt(bytes, places))).toEqual(await shown([bytes]));
      }),
      { numRuns: 100 },
    );
  });

  test.each(STREAMS)('of %s is the same byte by byte', async (name) => {
    const bytes = readFileSync(streamFile(name));
    const size = { columns: 80, rows: 24 };
    expect(
      await shown(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        size,
      ),
    ).toEqual(await shown([bytes], size));
  });

  test('can be read after any output and at any size', async () => {
    const sizes = fc.record({
      columns: fc.integer({ min: -5, max: 200 }),
      rows: fc.integer({ min: -5, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anything, sizes), { maxLength: 6 }), async (steps) => {
        const terminal = new TerminalEmulator({ size: SIZE, scrollbackLines: 100 });
        let lastNumber = -1;
        for (const [bytes, size] of steps) {
          await terminal.feed(bytes);
          look(terminal);
          terminal.resize(size);
          look(terminal);
          expect(terminal.firstLine).toBeGreaterThanOrEqual(lastNumber);
          lastNumber = terminal.firstLine;
        }
        terminal.dispose();
      }),
      { numRuns: 80 },
    );
  });

  test('has elements inside its bounds with unique handles', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (bytes) => {
        const terminal = new TerminalEmulator({ size: SIZE, scrollbackLines: 100 });
        await terminal.feed(bytes);
        const root = screenTree({ app: 'terminal', name: 'name', screen: readScreen(terminal) });
        const paths = new Set<string>();
        const visit = (node: typeof root) => {
          expect(paths).not.toContain(node.handle.path);
          paths.add(node.handle.path);
          const { x, y, width, height } = node.bounds ?? { x: -1, y: -1, width: 0, height: 0 };
          expect(x >= 0 && y >= 0 && width > 0 && height > 0).toBe(true);
          expect(x + width <= 40 * 8 && y + height <= 8 * 16).toBe(true);
          node.children.forEach(visit);
        };
        visit(root);
        terminal.dispose();
      }),
      { numRuns: 100 },
    );
  });
});
