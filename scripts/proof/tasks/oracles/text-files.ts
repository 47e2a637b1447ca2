import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '../../errands/errand.ts';
import type { Task } from '../task.ts';

/** Passes if a file of HOME has exactly this text. */
export async function hasText(home: string, path: string, text: string): Promise<void> {
  assert.equal(await readFile(join(home, path), 'utf8'), text);
}

const LETTER = 'Dear Ada,\nthe meeting is on Monday.\nYours, Charles\n';
const NOTE = 'Milk, bread and "salt".\n';

/** In Mousepad, to the file `param`. */
function saveAs(param: string): readonly Call[] {
  return [
    ['menu', 'File > Save As…', '--app', 'mousepad'],
    ['set-value', '<textbox "Name:">', `{{param.${param}}}`],
    ['click', '<button "Save">'],
  ];
}

const writeDocument: Task = {
  name: 'write-document',
  applications: ['mousepad'],
  packages: ['mousepad'],
  params: ({ home }) => ({ text: LETTER, file: join(home, 'letter.txt') }),
  plain: [['launch', 'mousepad', '--wait'], ['type', '<textbox>', '{{param.text}}'], ...saveAs('file')],
  check: (home) => hasText(home, 'letter.txt', LETTER),
};

const gtkDialogs: Task = {
  name: 'gtk-dialogs',
  applications: ['mousepad'],
  packages: ['mousepad'],
  files: { 'Letters/monday.txt': LETTER },
  params: ({ home }) => ({ file: join(home, 'Letters/monday.txt'), copy: join(home, 'Letters/tuesday.txt') }),
  plain: [
    ['launch', 'mousepad', '--wait'],
    ['menu', 'File > Open…', '--app', 'mousepad'],
    ['press', 'ctrl+l', '--app', 'mousepad', '--window', 'Open'],
    ['set-value', 'app:mousepad >> window:"Open" >> role:textbox', '{{param.file}}'],
    ['click', '<button "Open">'],
    ['snapshot', '--app', 'mousepad'],
    ...saveAs('copy'),
  ],
  check: async (home) => {
    await hasText(home, 'Letters/monday.txt', LETTER);
    await hasText(home, 'Letters/tuesday.txt', LETTER);
  },
};

const qtDialogs: Task = {
  name: 'qt-dialogs',
  applications: ['featherpad'],
  packages: ['featherpad'],
  files: { 'Letters/monday.txt': LETTER },
  params: ({ home }) => ({ file: join(home, 'Letters/monday.txt'), copy: join(home, 'Letters/tuesday.txt') }),
  plain: [
    ['launch', 'featherpad', '--wait'],
    ['menu', 'File > Open', '--app', 'featherpad'],
    ['set-value', '<textbox "File name:">', '{{param.file}}'],
    ['click', '<button "Open">'],
    ['menu', 'File > Save As', '--app', 'featherpad'],
    ['set-value', '<textbox "File name:">', '{{param.copy}}'],
    ['click', '<button "Save">'],
  ],
  check: gtkDialogs.check,
};

const unsavedChanges: Task = {
  name: 'unsaved-changes',
  applications: ['mousepad'],
  packages: ['mousepad'],
  files: { 'kept.txt': NOTE, 'discarded.txt': NOTE },
  params: ({ home }) => ({
    text: 'Buy: ',
    kept: join(home, 'kept.txt'),
    discarded: join(home, 'discarded.txt'),
  }),
  plain: [
    ['launch', 'mousepad', '--wait', '--', '{{param.kept}}'],
    ['type', '<textbox>', '{{param.text}}'],
    ['menu', 'File > Close Window', '--app', 'mousepad'],
    ['click', '<button "Save">'],
    ['launch', 'mousepad', '--wait', '--', '{{param.discarded}}'],
    ['type', '<textbox>', '{{param.text}}'],
    ['menu', 'File > Close Window', '--app', 'mousepad'],
    ['click', `<button "Don't Save">`],
  ],
  check: async (home) => {
    await hasText(home, 'kept.txt', `Buy: ${NOTE}`);
    await hasText(home, 'discarded.txt', NOTE);
  },
};

const copyBetweenApps: Task = {
  name: 'copy-between-apps',
  applications: ['featherpad', 'mousepad'],
  packages: ['featherpad', 'mousepad'],
  files: { 'from.txt': NOTE },
  params: ({ home }) => ({ from: join(home, 'from.txt'), to: join(home, 'to.txt') }),
  plain: [
    ['launch', 'featherpad', '--wait', '--', '{{param.from}}'],
    ['press', 'ctrl+a', '--app', 'featherpad'],
    ['press', 'ctrl+c', '--app', 'featherpad'],
    ['launch', 'mousepad', '--wait'],
    ['press', 'ctrl+v', '--app', 'mousepad'],
    ...saveAs('to'),
  ],
  check: async (home) => {
    await hasText(home, 'from.txt', NOTE);
    await hasText(home, 'to.txt', NOTE);
  },
};

export const TEXT_FILES: readonly Task[] = [
  writeDocument,
  gtkDialogs,
  qtDialogs,
  unsavedChanges,
  copyBetweenApps,
];
