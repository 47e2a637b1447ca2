import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandOutput, type CapturedOutput } from '../../src/terminal/shells/command-output.ts';

function captured(chunks: readonly Uint8Array[], keptBytes: number, lines: number): CapturedOutput {
  const output = new CommandOutput(keptBytes);
  for (const chunk of chunks) output.push(chunk);
  return output.last(lines);
}

const textOf = (output: CapturedOutput): string => Buffer.from(output.bytes).toString('latin1');

/** Line feeds as a terminal with ONLCR writes them. */
const shown = (written: string): Buffer => Buffer.from(written.replaceAll('\n', '\r\n'), 'latin1');

describe('CommandOutput', () => {
  it('says that a line is too long to be complete', () => {
    const long = Buffer.from('x'.repeat(5000));
    expect(captured([long], 1000, 3)).toMatchObject({ omittedLines: 0, isCut: true });
    expect(captured([long, Buffer.from('\r\nlast\r\n')], 1000, 1)).toMatchObject({ isCut: false });
    expect(captured([Buffer.from('short\r\n')], 1000, 3)).toMatchObject({ isCut: false });
  });

  it('returns what was written, whatever carriage returns it has', () => {
    const written = fc.string({
      unit: fc.constantFrom('a', '\r', '\n', '\r\n', '\u{1B}', 'ÿ'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(written, fc.array(fc.nat(60), { maxLength: 6 }), (text, cuts) => {
        const bytes = shown(text);
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (const cut of cuts.toSorted((a, b) => a - b)) {
          chunks.push(bytes.subarray(from, cut));
          from = Math.max(from, cut);
        }
        chunks.push(bytes.subarray(from));
        const output = captured(chunks, 1000, 1000);
        expect(textOf(output)).toBe(text);
        expect(output).toMatchObject({ omittedLines: 0 });
      }),
    );
  });

  it('leaves everything unchanged if a line feed came without a carriage return', () => {
    const output = captured([Buffer.from('a\r\nb\nc\r\n')], 1000, 1000);
    expect(textOf(output)).toBe('a\r\nb\nc\r\n');
    expect(textOf(captured([Buffer.from('a\r'), Buffer.from('\nb')], 1000, 1000))).toBe('a\nb');
    expect(textOf(captured([Buffer.from('a'), Buffer.from('\nb\r\n')], 1000, 1000))).toBe('a\nb\r\n');
    expect(textOf(captured([Buffer.from('\nb\r\n')], 1000, 1000))).toBe('\nb\r\n');
  });

  it.each([
    [0, '', 0],
    [1, 'three', 1],
    [2, 'two\nthree', 2],
    [3, 'one\ntwo\nthree', 3],
    [9, 'one\ntwo\nthree', 3],
  ])('returns the last %d lines', (lines, text, count) => {
    const output = captured([Buffer.from('one\r\ntwo\r\nthree')], 1000, lines);
    expect(textOf(output)).toBe(text);
    expect(output).toMatchObject({ lines: count, omittedLines: 3 - count });
  });

  it('does not count what follows the last line feed as a line', () => {
    expect(captured([Buffer.from('one\r\n\r\n')], 1000, 1)).toMatchObject({ lines: 1, omittedLines: 1 });
    expect(captured([], 1000, 5)).toMatchObject({ lines: 0, omittedLines: 0 });
  });

  it('keeps the end of larger output in whole lines and counts what is missing', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 20, max: 100 }),
        (lines, kept) => {
          const text = `${lines.join('\n')}\n`;
          const bytes = shown(text);
          const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
            bytes.subarray(index * 7, index * 7 + 7),
          );
          const output = captured(chunks, kept, 1000);
          expect(text.endsWith(textOf(output))).toBe(true);
          const before = text.slice(0, text.length - output.bytes.length);
          expect(before === '' || before.endsWith('\n')).toBe(true);
          expect(output.omittedLines).toBe(before.split('\n').length - 1);
          expect(output.lines + output.omittedLines).toBe(lines.length);
          expect(output.bytes.length).toBeGreaterThanOrEqual(Math.min(text.length, kept - 16) - output.lines);
        },
      ),
    );
  });

  it('truncates an endless line between characters', () => {
    const output = captured(
      Array.from({ length: 50 }, () => Buffer.from('漢字')),
      31,
      5,
    );
    expect(Buffer.from(output.bytes).toString('utf8')).toMatch(/^[漢字]+$/u);
    expect(output.lines).toBe(1);
  });
});
