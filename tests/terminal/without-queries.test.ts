import { expect, test } from 'vitest';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { withoutQueries } from '../../src/terminal/screen/without-sequences.ts';

const QUERIES = [
  '\u001B[c',
  '\u001B[0c',
  '\u001B[>c',
  '\u001B[=c',
  '\u001B[5n',
  '\u001B[6n',
  '\u001B[?6n',
  '\u001B[>q',
  '\u001B[>0q',
  '\u001B[?2026$p',
  '\u001B[4$p',
  '\u001B[?u',
  '\u001B[14t',
  '\u001B[18t',
  '\u001B]10;?\u0007',
  '\u001B]11;?\u001B\\',
  '\u001B]4;1;?\u0007',
  '\u001B]52;c;?\u0007',
  '\u001BP+q544e\u001B\\',
  '\u001BP$qm\u001B\\',
  '\u0005',
  '\u001BZ',
  '\u001B[x',
  '\u001B[0x',
  '\u001B[11t',
  '\u001B[21t',
  '\u001B]4;1;#000000;2;?\u0007',
  '\u001B]5;0;?\u001B\\',
  '\u001B]21;foreground=?\u001B\\',
];
const OTHERS = [
  '\u001B[1;31mred\u001B[0m',
  '\u001B[?1049h',
  '\u001B]2;a title?\u0007',
  '\u001B]10;#ffffff\u0007',
  '\u001B]52;c;YWJj\u0007',
  '\u001B[2 q',
  '\u001B[8;24;80t',
  '\u001B[>1u',
  'plain text c 6n',
  '\u001B[22;0t',
  '\u001B]8;;http://x/?\u0007link\u001B]8;;\u0007',
];

test.each(QUERIES)('%j is removed, and no terminal replies to the rest', async (query) => {
  const rest = withoutQueries(Buffer.from(`before${query}after 漢`));
  expect(rest.toString()).toBe('beforeafter 漢');
  const terminal = new TerminalEmulator({ size: { columns: 80, rows: 24 } });
  await terminal.feed(rest);
  expect(terminal.takeAnswers()).toHaveLength(0);
});

test.each(['\u009B6n', '\u009Bc', '\u009D52;c;?\u009C', '\u0085'])(
  '%j is a control character of one byte: what is left is text',
  (text) => {
    const rest = withoutQueries(Buffer.from(`é${text}漢`)).toString();
    expect(rest).toBe(`é${text.replaceAll(/[\u0080-\u009F]/g, '')}漢`);
  },
);

test.each(OTHERS)('%j stays', (text) => {
  expect(withoutQueries(Buffer.from(text)).toString()).toBe(text);
});
