import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LINES = 300;
const FILES = 60;
const PARAGRAPHS = 80;

/** Makes what applications open longer than a page, and folders fuller than a window: otherwise there is little to scroll. */
export function lengthen(home: string): void {
  const documents = join(home, 'Documents');
  const all = Array.from({ length: LINES }, (_, index) => index + 1);
  appendFileSync(join(documents, 'notes.txt'), all.map((line) => `This is line ${line}.\n`).join(''));
  appendFileSync(join(documents, 'numbers.csv'), all.map((row) => `Row ${row},${row * 7}\n`).join(''));
  const paragraphs = all
    .slice(0, PARAGRAPHS)
    .map((n) => `<h2>Part ${n}</h2><p>Words of part ${n} with a <a href="#end">way to the end ${n}</a>.</p>`);
  appendFileSync(join(documents, 'page.html'), paragraphs.join(''));
  for (const number of all.slice(0, FILES))
    for (const folder of [home, documents])
      writeFileSync(join(folder, `file-${String(number).padStart(2, '0')}.txt`), `File ${number}.\n`);
}
