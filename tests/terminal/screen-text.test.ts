import { expect, test } from 'vitest';
import { lastLines } from '../../src/terminal/screen/screen.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { screenText } from './support/screen-text.ts';

async function shell(text: string): Promise<TerminalEmulator> {
  const terminal = new TerminalEmulator({ size: { columns: 20, rows: 4 }, scrollbackLines: 200 });
  await terminal.feed(Buffer.from(text));
  return terminal;
}

test('wrapped lines are joined, and trailing blanks are removed', async () => {
  const terminal = await shell(`${'x'.repeat(50)}\r\nb  \r\n`);
  expect(screenText(terminal)).toBe(`${'x'.repeat(50)}\nb`);
});

test('the last lines of the screen and the scrollback', async () => {
  const long = 'y'.repeat(30);
  const terminal = await shell(
    `${Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\r\n')}\r\n${long}\r\n`,
  );
  expect(lastLines(terminal, 1)).toBe(long);
  expect(lastLines(terminal, 3)).toBe(`line 28\nline 29\n${long}`);
  expect(lastLines(terminal, 20).split('\n')).toEqual([
    ...Array.from({ length: 19 }, (_, index) => `line ${index + 11}`),
    long,
  ]);
  expect(lastLines(terminal, 1000).split('\n')).toHaveLength(31);
  await terminal.feed(Buffer.from('\u001B[?1049h\u001B[Hfull screen'));
  expect(lastLines(terminal, 2)).toBe(`line 29\n${long}`);
  expect(screenText(terminal)).toBe('full screen');
});

test('characters that hide or reverse text are made visible', async () => {
  expect(screenText(await shell('a\u202Eb\u200Bc'))).toBe(String.raw`a\u{202E}b\u{200B}c`);
});
