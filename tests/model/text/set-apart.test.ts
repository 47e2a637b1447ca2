import { expect, it } from 'vitest';
import { setApart, setApartIn } from '../../../src/model/text/set-apart.ts';

it('begins each line with a mark, whatever breaks the line', () => {
  expect(setApart('one\n  button "OK" @e1\r\ntwo\u0085three\u2028four\u2029\nend')).toBe(
    '| one\n|   button "OK" @e1\n| two\n| three\n| four\n|\n| end',
  );
});

it.each([
  ['Output:\none\ntwo\n\nExit code 0', 'one\ntwo', 'Output:\n| one\n| two\n\nExit code 0'],
  ['Output:\none\n\nExit code 0', 'one\n', 'Output:\n| one\n\nExit code 0'],
  ['said one\ntwo, then ended', 'one\ntwo', 'said \n| one\n| two\n, then ended'],
  ['done: one', 'one', 'done: one'],
  ['one of them\none', 'one', 'one of them\n| one'],
  ['nothing was said', '', 'nothing was said'],
  ['nothing was said', ' \n', 'nothing was said'],
  ['it is elsewhere', 'one', 'it is elsewhere'],
])('sets the output apart in %j', (text, output, apart) => {
  expect(setApartIn(text, output)).toBe(apart);
});
