import { strict as assert } from 'node:assert';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const thunar: Errand = {
  name: 'Make a folder and rename a file',
  application: 'thunar',
  package: 'thunar',
  task: 'Open the folder Letters with Thunar. Make a folder Sent in it, and rename draft.txt to letter.txt.',
  files: { 'Letters/draft.txt': 'Dear Ada\n' },
  before: [
    ['launch', 'thunar', '--wait', '--', 'Letters'],
    ['snapshot', '--app', 'thunar'],
    ['menu', 'File > Create Folder…', '--app', 'thunar'],
    ['snapshot', '--app', 'thunar'],
    ['set-value', '<textbox>', 'Sent'],
    ['click', '<button "Create">'],
    ['click', '<menuitem "View">'],
    ['snapshot', '--app', 'thunar'],
    ['click', '<menuitemcheckbox "List View">'],
    ['snapshot', '--app', 'thunar'],
    ['click', '<cell "draft.txt">'],
    ['press', 'F2', '--app', 'thunar'],
    ['snapshot', '--app', 'thunar'],
    ['set-value', '<textbox>', 'letter.txt'],
    ['click', '<button "Rename">'],
  ],
  now: [
    ['do', 'launch thunar --wait -- Letters'],
    [
      'do',
      'menu "File > Create Folder…"',
      'fill role:textbox Sent',
      'press Enter',
      'click <menuitem "View">',
      '--app',
      'thunar',
    ],
    [
      'do',
      'click <menuitemcheckbox "List View">',
      'click role:cell[name="draft.txt"]',
      'press F2',
      'fill role:textbox letter.txt',
      'press Enter',
      '--app',
      'thunar',
    ],
  ],
  check: async (home) => {
    const folder = join(home, 'Letters');
    assert.deepEqual((await readdir(folder)).toSorted(), ['Sent', 'letter.txt']);
    assert.ok((await stat(join(folder, 'Sent'))).isDirectory());
    assert.equal(await readFile(join(folder, 'letter.txt'), 'utf8'), 'Dear Ada\n');
  },
};
export default thunar;
