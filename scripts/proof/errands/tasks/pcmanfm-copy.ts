import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const pcmanfm: Errand = {
  name: 'Copy a file into another folder',
  application: 'pcmanfm-qt',
  package: 'pcmanfm-qt',
  task: 'Open the folder Inbox with PCManFM-Qt, and copy report.txt from it into the folder Archive beside it.',
  files: { 'Inbox/report.txt': 'All is well\n', 'Archive/old.txt': 'Before\n' },
  before: [
    ['launch', 'pcmanfm-qt', '--wait', '--', 'Inbox'],
    ['snapshot', '--app', 'pcmanfm-qt'],
    ['click', '<listitem "report.txt">'],
    ['press', 'ctrl+c', '--app', 'pcmanfm-qt'],
    ['click', '<button "Go Up">'],
    ['snapshot', '--app', 'pcmanfm-qt'],
    ['double-click', '<listitem "Archive">'],
    ['press', 'ctrl+v', '--app', 'pcmanfm-qt'],
    ['snapshot', '--app', 'pcmanfm-qt'],
  ],
  now: [
    ['do', 'launch pcmanfm-qt --wait -- Inbox'],
    [
      'do',
      'click <listitem "report.txt">',
      'press ctrl+c',
      'click <button "Go Up">',
      'double-click role:listitem[name=Archive]',
      'press ctrl+v',
      '--app',
      'pcmanfm-qt',
    ],
  ],
  check: async (home) => {
    assert.equal(await readFile(join(home, 'Archive/report.txt'), 'utf8'), 'All is well\n');
    assert.equal(await readFile(join(home, 'Inbox/report.txt'), 'utf8'), 'All is well\n');
  },
};
export default pcmanfm;
