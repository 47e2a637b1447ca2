import { expect, it } from 'vitest';
import { splitWords } from '../../../src/surfaces/cli/arguments/words.ts';

it.each([
  ['type @e1 "two words"', ['type', '@e1', 'two words']],
  [String.raw`type 'it is' a\ b "a \"c\""`, ['type', 'it is', 'a b', 'a "c"']],
  ['wait --text="Saved as"', ['wait', '--text=Saved as']],
  ["type @e1 ''", ['type', '@e1', '']],
])('words are split as a shell does: %s', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

it.each([
  ['click role:button[name="Save as"]', ['click', 'role:button[name="Save as"]']],
  ["click role:button[name='Save as']", ['click', "role:button[name='Save as']"]],
  [
    'fill label:"Your name" "Ada B" label:City Ulm',
    ['fill', 'label:"Your name"', 'Ada B', 'label:City', 'Ulm'],
  ],
  [String.raw`click text:"Say \"hi\" now"`, ['click', String.raw`text:"Say \"hi\" now"`]],
  ['click role:dialog >> role:button[name="OK"]', ['click', 'role:dialog >> role:button[name="OK"]']],
  ['fill app:"A B" >> label:X >> role:textbox 1', ['fill', 'app:"A B" >> label:X >> role:textbox', '1']],
  [`click 'role:button[name="Save as"]'`, ['click', 'role:button[name="Save as"]']],
  [String.raw`click "role:button[name=\"Save as\"]"`, ['click', 'role:button[name="Save as"]']],
])('a locator keeps its quotes and spaces: %s', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});
