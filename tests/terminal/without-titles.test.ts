import { expect, it } from 'vitest';
import { withoutTitles } from '../../src/terminal/screen/without-sequences.ts';

const without = (text: string) => Buffer.from(withoutTitles(Buffer.from(text))).toString();

it.each(['\u001B]0;a name\u0007', '\u001B]2;ä\u001B\\', '\u001B]1;\u0007', '\u001B[22;0t', '\u001B[23;2;1t'])(
  'takes out %j',
  (title) => expect(without(`ü${title}b${title}`)).toBe('üb'),
);

it.each([
  'plain ü',
  '\u001B[2J\u001B[1;1H',
  '\u001B]8;;http://a/\u0007',
  '\u001B]10;red\u0007',
  '\u001B[8;24;80t',
])('leaves %j', (text) => expect(without(text)).toBe(text));
