import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Errand } from '../errand.ts';

/** The content of A1 to A4. */
const CELLS = ['12', '30', '58', '=sum(A1:A3)'];

const gnumeric: Errand = {
  name: 'Add up three numbers in a sheet',
  application: 'gnumeric',
  package: 'gnumeric',
  task: 'Open Gnumeric, enter 12, 30 and 58 in A1 to A3 and their sum in A4. Save it as sums.gnumeric in your home folder.',
  before: [
    ['launch', 'gnumeric', '--wait'],
    ['snapshot', '--app', 'gnumeric'],
    ['type', '<group (drawn, not described)>', '12\n30\n58\n=SUM(A1:A3)\n'],
    ['menu', 'File > Save As…', '--app', 'gnumeric'],
    ['snapshot', '--app', 'gnumeric'],
    ['set-value', '<textbox "Name:">', 'sums.gnumeric'],
    ['click', '<button "Save">'],
  ],
  now: [
    [
      'do',
      'launch gnumeric --wait',
      'type "12\n30\n58\n=SUM(A1:A3)\n"',
      'menu "File > Save As…"',
      '--app',
      'gnumeric',
    ],
    ['do', 'fill <textbox "Name:"> sums.gnumeric', 'click <button "Save">'],
  ],
  check: async (home) => {
    const xml = gunzipSync(await readFile(join(home, 'sums.gnumeric'))).toString('utf8');
    const cells = [...xml.matchAll(/<gnm:Cell Row="(\d)" Col="0"[^>]*>([^<]*)</g)];
    assert.deepEqual(
      cells.map(([, row, text]) => `${row} ${text}`),
      CELLS.map((text, row) => `${row} ${text}`),
    );
  },
};
export default gnumeric;
