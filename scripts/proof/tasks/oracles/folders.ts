import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Task } from '../task.ts';
import { hasText } from './text-files.ts';

/** Everything below a folder, by relative paths. */
async function listing(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).toSorted();
}

const fileManager: Task = {
  name: 'file-manager',
  applications: ['pcmanfm-qt'],
  packages: ['pcmanfm-qt'],
  files: { 'Papers/drafts/letter.txt': 'Dear Ada\n' },
  params: ({ home }) => ({
    folder: join(home, 'Papers'),
    new_folder: 'Archive',
    old_name: 'drafts',
    new_name: 'Letters',
  }),
  plain: [
    ['launch', 'pcmanfm-qt', '--wait', '--', '{{param.folder}}'],
    ['menu', 'File > Create New > Folder', '--app', 'pcmanfm-qt'],
    ['set-value', '<textbox "Please enter a new folder name:">', '{{param.new_folder}}'],
    ['click', '<button "OK">'],
    ['click', '<listitem "drafts">'],
    ['press', 'F2', '--app', 'pcmanfm-qt'],
    ['set-value', '<textbox>', '{{param.new_name}}'],
    ['press', 'Enter', '--app', 'pcmanfm-qt'],
    ['snapshot', '--app', 'pcmanfm-qt'],
    ['click', '<listitem "Letters">'],
    ['press', 'ctrl+x', '--app', 'pcmanfm-qt'],
    ['double-click', '<listitem "Archive">'],
    ['press', 'ctrl+v', '--app', 'pcmanfm-qt'],
  ],
  check: async (home) =>
    assert.deepEqual(await listing(join(home, 'Papers')), [
      'Archive',
      'Archive/Letters',
      'Archive/Letters/letter.txt',
    ]),
};

const FROM = 'app:thunar >> window:"{{param.from_title}}" >> role:cell[name="{{param.file}}"]';
const TO = 'app:thunar >> window:"{{param.to_title}}" >> role:group[name="Details view"]';

const drag: Task = {
  name: 'drag-between-lists',
  applications: ['thunar'],
  packages: ['thunar'],
  files: { 'inbox/a.txt': 'a\n', 'inbox/b.txt': 'b\n', 'done/z.txt': 'z\n' },
  params: ({ home }) => ({
    from: join(home, 'inbox'),
    from_title: 'inbox',
    to: join(home, 'done'),
    to_title: 'done',
    file: 'b.txt',
  }),
  plain: [
    ['launch', 'thunar', '--wait', '--', '{{param.from}}'],
    ['menu', 'View > List View', '--app', 'thunar'],
    ['launch', 'thunar', '--wait', '--', '{{param.to}}'],
    ['menu', 'View > List View', '--app', 'thunar', '--window', '{{param.to_title}}'],
    ['drag', FROM, TO],
  ],
  check: async (home) => {
    assert.deepEqual(await listing(join(home, 'inbox')), ['a.txt']);
    assert.deepEqual(await listing(join(home, 'done')), ['b.txt', 'z.txt']);
    await hasText(home, 'done/b.txt', 'b\n');
  },
};

const extract: Task = {
  name: 'extract-archive',
  applications: ['engrampa'],
  packages: ['engrampa'],
  files: { 'Papers/one.txt': 'one\n', 'Papers/more/two.txt': 'two\n' },
  prepare: async (home) => {
    const cwd = join(home, 'Papers');
    await promisify(execFile)('/usr/bin/python3', ['-m', 'zipfile', '-c', 'papers.zip', 'one.txt', 'more'], {
      cwd,
    });
    for (const name of ['one.txt', 'more']) await rm(join(cwd, name), { recursive: true });
  },
  params: ({ home }) => ({ archive: join(home, 'Papers/papers.zip') }),
  plain: [
    ['launch', 'engrampa', '--wait', '--', '{{param.archive}}'],
    ['menu', 'Archive > Extract…', '--app', 'engrampa'],
    ['snapshot', '--app', 'engrampa'],
    ['click', 'app:engrampa >> window:"Extract" >> role:button[name="Extract"]'],
  ],
  check: async (home) => {
    assert.deepEqual(await listing(join(home, 'Papers')), ['more', 'more/two.txt', 'one.txt', 'papers.zip']);
    await hasText(home, 'Papers/more/two.txt', 'two\n');
  },
};

const terminal: Task = {
  name: 'terminal-window',
  applications: ['gnome-terminal'],
  packages: ['gnome-terminal'],
  params: ({ home }) => ({ command: `seq 3 | tee ${home}/numbers.txt; echo "rea""dy"`, output: 'ready' }),
  plain: [
    ['launch', 'gnome-terminal', '--wait'],
    ['type', '<terminal "Terminal">', '{{param.command}}\n'],
  ],
  check: (home) => hasText(home, 'numbers.txt', '1\n2\n3\n'),
};

export const FOLDERS: readonly Task[] = [fileManager, drag, extract, terminal];
