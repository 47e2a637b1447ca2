import { describe, expect, test } from 'vitest';
import { collectGarbage } from '../collected.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';

const encoder = new TextEncoder();

function emulator(columns = 20, rows = 4, scrollbackLines = 100): TerminalEmulator {
  return new TerminalEmulator({ size: { columns, rows }, scrollbackLines });
}

function screen(terminal: TerminalEmulator): string[] {
  return Array.from(
    { length: terminal.size.rows },
    (_, row) => terminal.row(row)?.translateToString(true) ?? '',
  );
}

async function feed(terminal: TerminalEmulator, text: string): Promise<void> {
  await terminal.feed(encoder.encode(text));
}

describe('program output', () => {
  test('text, cursor and wrapping', async () => {
    const terminal = emulator();
    await feed(terminal, 'one\r\n\u001B[3;5Htwo');
    expect(screen(terminal)).toEqual(['one', '', '    two', '']);
    expect(terminal.cursor).toEqual({ row: 2, column: 7, isVisible: true });
  });

  test('UTF-8 split anywhere, and invalid bytes', async () => {
    const terminal = emulator();
    const bytes = encoder.encode('aé漢😀b');
    for (const byte of bytes) await terminal.feed(Uint8Array.of(byte));
    await terminal.feed(Uint8Array.of(0xff, 0x41, 0xc3));
    await terminal.feed(Uint8Array.of(0x28));
    expect(screen(terminal)[0]).toBe('aé漢😀b\uFFFDA\uFFFD(');
  });

  test('wide characters take two columns, joined emoji as many as in shells', async () => {
    const terminal = emulator();
    await feed(terminal, '漢e\u0301👩\u200D👧\u001B[6n');
    expect(Buffer.from(terminal.takeAnswers()).toString()).toBe('\u001B[1;8R');
    expect(screen(terminal)[0]).toBe('漢e\u0301👩\u200D👧');
  });

  test('title, alternate screen, modes', async () => {
    const terminal = emulator();
    await feed(
      terminal,
      '\u001B]0;first\u0007\u001B]2;second\u001B\\\u0007\u001B[?1049h\u001B[?25l\u001B[?2004h\u001B[?1h\u001B[?1002h\u001B[?1006h',
    );
    expect(terminal.title).toBe('second');
    expect(terminal.isAlternate).toBe(true);
    expect(terminal.cursor.isVisible).toBe(false);
    expect(terminal.modes).toMatchObject({
      isBracketedPaste: true,
      isApplicationCursor: true,
      mouseTracking: 'drag',
      isSgrMouse: true,
    });
    await feed(
      terminal,
      '\u001B[?1049l\u001B[?25h\u001B[?2004l\u001B[?1l\u001B[?1002l\u001B[?1006l\u001B[?1049h',
    );
    expect(terminal.alternateVisit).toBe(2);
    expect(terminal.cursor.isVisible).toBe(true);
    expect(terminal.modes).toMatchObject({
      isBracketedPaste: false,
      mouseTracking: 'none',
      isSgrMouse: false,
    });
  });

  test('replies of the terminal are returned once', async () => {
    const terminal = emulator();
    await feed(terminal, '\u001B[c\u001B[5n');
    expect(Buffer.from(terminal.takeAnswers()).toString()).toBe('\u001B[?1;2c\u001B[0n');
    expect(terminal.takeAnswers()).toHaveLength(0);
  });
});

describe('line numbers', () => {
  async function numbered(terminal: TerminalEmulator, from: number, to: number): Promise<void> {
    for (let line = from; line < to; line += 1) await feed(terminal, `line ${line}\r\n`);
  }

  /** Lines that contain their number, with the number that we count. */
  function numbers(terminal: TerminalEmulator): { readonly said: string[]; readonly counted: string[] } {
    const lines = Array.from(
      { length: terminal.screenLine + terminal.size.rows - terminal.firstLine },
      (_, index) => {
        const number = terminal.firstLine + index;
        return { number, text: terminal.line(number)?.translateToString(true) ?? '' };
      },
    ).filter(({ text }) => text.startsWith('line '));
    expect(lines.length).toBeGreaterThan(0);
    return {
      said: lines.map(({ text }) => text),
      counted: lines.map(({ number }) => `line ${number}`),
    };
  }

  function expectNumbers(terminal: TerminalEmulator): void {
    const { said, counted } = numbers(terminal);
    expect(said).toEqual(counted);
  }

  test('are stable while lines are dropped above', async () => {
    const terminal = emulator();
    await numbered(terminal, 0, 50);
    expect(terminal.firstLine).toBe(0);
    expectNumbers(terminal);
    await feed(terminal, Array.from({ length: 950 }, (_, line) => `line ${line + 50}\r\n`).join(''));
    expect(terminal.firstLine).toBe(1000 + 1 - 104);
    expectNumbers(terminal);
  });

  test('are stable when lines are deleted, inserted and scrolled, and on the alternate screen', async () => {
    const terminal = emulator();
    await numbered(terminal, 0, 300);
    await feed(
      terminal,
      '\u001B[H\u001B[4M\u001B[4L\u001B[4S\u001B[4T\u001B[2;3r\u001B[3;1H\n\n\n\n\u001B[r',
    );
    expectNumbers(terminal);
    await feed(terminal, `\u001B[?1049h${'x\r\n'.repeat(500)}\u001B[?1049l`);
    expectNumbers(terminal);
    await feed(terminal, '\u001B[H\u001B[2J');
    await numbered(terminal, terminal.screenLine, terminal.screenLine + 40);
    const { said, counted } = numbers(terminal);
    expect(said).toEqual(counted);
  });

  test('are not reused after the scrollback was cleared, the terminal was reset or its width changed', async () => {
    const terminal = emulator();
    await numbered(terminal, 0, 300);
    const { screenLine } = terminal;
    await feed(terminal, '\u001B[3J');
    expect(terminal.firstLine).toBe(screenLine);
    await numbered(terminal, 300, 500);
    expectNumbers(terminal);
    const last = terminal.screenLine + 3;
    await feed(terminal, '\u001Bc');
    expect(terminal.firstLine).toBe(last + 1);
    terminal.resize({ columns: 30, rows: 4 });
    expect(terminal.firstLine).toBeGreaterThanOrEqual(last + 5);
    terminal.resize({ columns: 30, rows: 8 });
    expect(terminal.size).toEqual({ columns: 30, rows: 8 });
  });
});

/** Bytes in use after garbage collection. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('hostile output', () => {
  test.each([
    // The emulator itself drops such a string only beyond ten million characters.
    ['an endless title', '\u001B]0;', 'x'.repeat(65_536), 140],
    ['an endless device string', '\u001BP$q', 'x'.repeat(65_536), 140],
    ['an endless private mark', '\u001B]7717;', 'x'.repeat(65_536), 140],
    ['an endless number', '\u001B[', '1;'.repeat(32_768), 200],
    ['a letter with marks without end', 'a', '\u0301'.repeat(32_768), 200],
    ['marks between deletions', 'a', '\u0301\u007F'.repeat(16_384), 200],
    ['a line without end', '', 'x'.repeat(65_536), 200],
    ['links', '', `\u001B]8;;http://x/${'y'.repeat(4000)}\u001B\\l`.repeat(16), 200],
    ['questions', '', '\u001B[6n'.repeat(16_384), 50],
    ['saved titles', '\u001B]0;x\u0007', '\u001B[22t'.repeat(10_000), 50],
  ])('%s takes no memory', async (_name, head, body, times) => {
    const terminal = new TerminalEmulator({
      size: { columns: 120, rows: 40 },
      scrollbackLines: 2000,
    });
    await feed(terminal, head);
    const bytes = encoder.encode(body);
    await terminal.feed(bytes);
    const before = memoryInUse();
    for (let time = 0; time < times; time += 1) await terminal.feed(bytes);
    expect(memoryInUse() - before).toBeLessThan(6e6);
    await feed(terminal, '\u0018\u001Bcok');
    expect(screen(terminal)[0]).toBe('ok');
    terminal.dispose();
  });

  test.each(['S', 'T', 'L', 'M', 'b', 'I', 'Z', '@', 'P', 'X'])(
    'a huge count of %s takes no time',
    async (final) => {
      const terminal = new TerminalEmulator({ size: { columns: 120, rows: 40 } });
      const started = performance.now();
      await feed(terminal, `x\u001B[2147483647${final}`.repeat(100));
      await feed(terminal, `x\u001B[9\u00079\u00079\u00079\u00079\u00079\u00079\u00079${final}`.repeat(100));
      expect(performance.now() - started).toBeLessThan(5000);
    },
  );

  test('up to sixteen combining marks on one letter are kept, across any split', async () => {
    const terminal = emulator();
    await feed(terminal, 'a');
    for (let mark = 0; mark < 20; mark += 1) await feed(terminal, '\u0301'.repeat(3));
    await feed(terminal, 'b\u0301');
    expect(screen(terminal)[0]).toBe(`a${'\u0301'.repeat(16)}b\u0301`);
  });
});
