import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const textEditor: Errand = {
  name: 'Write to Ada and save the text',
  application: 'gnome-text-editor',
  package: 'gnome-text-editor',
  task: 'Open GNOME Text Editor, write "Dear Ada" and save it as letter.txt in your home folder.',
  before: [
    ['launch', 'gnome-text-editor', '--wait'],
    ['snapshot', '--app', 'gnome-text-editor'],
    ['type', '<textbox>', 'Dear Ada'],
    ['press', 'ctrl+s', '--app', 'gnome-text-editor'],
    ['snapshot', '--app', 'gnome-text-editor'],
    ['set-value', '<textbox "Name:">', 'letter.txt'],
    ['click', '<button "Save">'],
  ],
  now: [
    [
      'do',
      'launch gnome-text-editor --wait',
      'type "Dear Ada"',
      'press ctrl+s',
      '--app',
      'gnome-text-editor',
    ],
    ['do', 'fill <textbox "Name:"> letter.txt', 'click <button "Save">'],
  ],
  check: async (home) => {
    assert.equal((await readFile(join(home, 'letter.txt'), 'utf8')).trim(), 'Dear Ada');
  },
};
export default textEditor;
