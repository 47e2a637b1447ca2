import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Errand } from '../errand.ts';

const LETTER = ['Dear Ada,', 'the meeting is on Monday.', 'Yours, Charles'];

const writer: Errand = {
  name: 'Write a letter and save it',
  application: 'libreoffice-writer',
  package: 'libreoffice-writer',
  task: `Start LibreOffice Writer, write a letter of three paragraphs ("${LETTER.join('", "')}") and save it as letter.odt in your home folder.`,
  before: [
    ['launch', 'libreoffice', '--wait', '--', '--writer'],
    ['snapshot', '--app', 'soffice'],
    ['type', 'app:soffice >> role:paragraph', LETTER.join('\n')],
    ['menu', 'File > Save As…', '--app', 'soffice'],
    ['snapshot', '--app', 'soffice'],
    ['set-value', '<textbox "Name:">', 'letter.odt'],
    ['click', '<button "Save">'],
  ],
  now: [
    ['do', 'launch libreoffice --wait -- --writer', `type "${LETTER.join('\n')}"`, 'menu "File > Save As…"'],
    ['do', 'fill <textbox "Name:"> letter.odt', 'click <button "Save">'],
  ],
  check: async (home) => {
    const { stdout } = await promisify(execFile)('unzip', ['-p', join(home, 'letter.odt'), 'content.xml']);
    const paragraphs = [...stdout.matchAll(/<text:p[^>]*>([^<]*)<\/text:p>/g)].map(([, text]) => text);
    assert.deepEqual(paragraphs, LETTER);
  },
};
export default writer;
