import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const NOTES = 'The color is red.\nAnother color, another day.\n';

const featherpad: Errand = {
  name: 'Replace a word in a file',
  application: 'featherpad',
  package: 'featherpad',
  task: 'Open notes.txt in FeatherPad, replace "color" by "colour" everywhere, and save it.',
  files: { 'notes.txt': NOTES },
  before: [
    ['launch', 'featherpad', '--wait', '--', 'notes.txt'],
    ['snapshot', '--app', 'featherpad'],
    ['click', '<button "Replace">'],
    ['snapshot', '--app', 'featherpad'],
    ['set-value', '<textbox "Find">', 'color'],
    ['set-value', '<textbox "Replace with">', 'colour'],
    ['click', '<button "Replace all (F10)">'],
    ['menu', 'File > Save', '--app', 'featherpad'],
  ],
  now: [
    ['do', 'launch featherpad --wait -- notes.txt'],
    ['do', 'click <button "Replace">'],
    [
      'do',
      'fill <textbox "Find"> color <textbox "Replace with"> colour',
      'click <button "Replace all (F10)">',
      'menu "File > Save"',
      '--app',
      'featherpad',
    ],
  ],
  check: async (home) => {
    assert.equal(await readFile(join(home, 'notes.txt'), 'utf8'), NOTES.replaceAll('color', 'colour'));
  },
};
export default featherpad;
