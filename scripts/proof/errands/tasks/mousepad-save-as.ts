import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const mousepad: Errand = {
  name: 'Write a note and save it under a name',
  application: 'mousepad',
  package: 'mousepad',
  task: 'Open Mousepad, write "Milk and bread" and save it as shopping.txt in your home folder.',
  before: [
    ['launch', 'mousepad', '--wait'],
    ['snapshot', '--app', 'mousepad'],
    ['type', '<textbox>', 'Milk and bread'],
    ['menu', 'File > Save As…', '--app', 'mousepad'],
    ['snapshot', '--app', 'mousepad'],
    ['set-value', '<textbox "Name:">', 'shopping.txt'],
    ['click', '<button "Save">'],
  ],
  now: [
    ['do', 'launch mousepad --wait', 'type "Milk and bread"', 'menu "File > Save As…"', '--app', 'mousepad'],
    ['do', 'fill <textbox "Name:"> shopping.txt', 'click <button "Save">'],
  ],
  check: async (home) => {
    assert.equal((await readFile(join(home, 'shopping.txt'), 'utf8')).trim(), 'Milk and bread');
  },
};
export default mousepad;
