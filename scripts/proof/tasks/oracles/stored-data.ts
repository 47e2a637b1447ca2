import { strict as assert } from 'node:assert';
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PASSWORD_MANAGERS_ALLOWED } from '../../password-managers-allowed.ts';
import type { Task } from '../task.ts';

const PYTHON = '/usr/bin/python3';
const PASSWORD = 'correct horse battery';

/** Its second page measures the machine for a second before it answers "Continue". */
const passwordDatabase: Task = {
  name: 'password-database',
  applications: ['keepassxc'],
  packages: ['keepassxc'],
  files: PASSWORD_MANAGERS_ALLOWED,
  params: ({ home }) => ({ title: 'Family', password: PASSWORD, file: join(home, 'Family.kdbx') }),
  plain: [
    ['launch', 'keepassxc', '--wait'],
    ['click', '<button "Create new database">'],
    ['snapshot', '--app', 'keepassxc'],
    ['set-value', '<textbox "Database name field">', '{{param.title}}'],
    ['click', '<button "Continue">'],
    ['click', 'app:keepassxc >> role:dialog >> role:button[name="Continue"]'],
    ['wait', '--element', 'app:keepassxc >> role:button[name="Done"]', '--timeout', '15000'],
    ['snapshot', '--app', 'keepassxc'],
    ['set-value', 'app:keepassxc >> label:"Enter password"', '{{param.password}}'],
    ['set-value', 'app:keepassxc >> label:"Confirm password"', '{{param.password}}'],
    ['click', '<button "Done">'],
    ['set-value', '<textbox "File name:">', '{{param.file}}'],
    ['click', '<button "Save">'],
  ],
  check: async (home) => {
    const options = { input: `${PASSWORD}\n`, encoding: 'utf8' } as const;
    const { stdout, status } = spawnSync(
      'keepassxc-cli',
      ['db-info', '-q', join(home, 'Family.kdbx')],
      options,
    );
    assert.equal(status, 0);
    assert.match(stdout, /^Name: Family$/m);
  },
};

const ROWS = 1000;
const MAKE = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute('create table items (name text)')
db.executemany('insert into items values (?)', [(f'item {i:04d}',) for i in range(1, ${ROWS} + 1)])
db.commit()`;
const READ = `
import sqlite3, sys
print('\\n'.join(name for name, in sqlite3.connect(sys.argv[1]).execute('select name from items order by rowid')))`;
const CHANGED = 800;

const longList: Task = {
  name: 'long-list',
  applications: ['sqlitebrowser'],
  packages: ['sqlitebrowser'],
  prepare: async (home) => {
    await promisify(execFile)(PYTHON, ['-c', MAKE, join(home, 'items.db')]);
  },
  params: ({ home }) => ({
    file: join(home, 'items.db'),
    position: String(CHANGED),
    row: 'item 0800',
    value: 'blue ink',
  }),
  plain: [
    ['launch', 'sqlitebrowser', '--wait', '--', '{{param.file}}'],
    ['click', '<tab "Browse Data">'],
    ['set-value', '<textbox "Enter record number to browse">', '{{param.position}}'],
    ['click', '<button "Go to:">'],
    ['snapshot', '--app', 'DB Browser for SQLite'],
    ['click', '<cell "item 0800">'],
    [
      'set-value',
      'app:"DB Browser for SQLite" >> role:group[name="Edit Database Cell"] >> role:textbox',
      '{{param.value}}',
    ],
    ['click', '<button "Apply">'],
    ['click', '<button "Write Changes">'],
  ],
  check: async (home) => {
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', READ, join(home, 'items.db')]);
    const names = Array.from({ length: ROWS }, (_, index) => `item ${String(index + 1).padStart(4, '0')}`);
    assert.deepEqual(stdout.trim().split('\n'), names.with(CHANGED - 1, 'blue ink'));
  },
};

const qtSettings: Task = {
  name: 'qt-settings',
  applications: ['featherpad'],
  packages: ['featherpad'],
  params: () => ({}),
  plain: [
    ['launch', 'featherpad', '--wait'],
    ['menu', 'Options > Preferences', '--app', 'featherpad'],
    ['click', '<tab "Text">'],
    ['snapshot', '--app', 'featherpad'],
    ['click', '<checkbox "Always show line numbers">'],
    ['click', '<checkbox "Wrap lines by default">'],
    ['click', '<button "Close">'],
    ['close-app', 'featherpad'],
  ],
  check: async (home) => {
    const lines = (await readFile(join(home, '.config/featherpad/fp.conf'), 'utf8')).split('\n');
    for (const line of ['lineNumbers=true', 'noWrap=true']) assert.ok(lines.includes(line), lines.join('\n'));
  },
};

const PIXELS = ['P3', '3 2', '255', '255 0 0  0 255 0  0 0 255', '0 0 0  255 255 255  99 99 99', ''].join(
  '\n',
);

const rotateImage: Task = {
  name: 'rotate-image',
  applications: ['eom'],
  packages: ['eom'],
  files: { 'picture.ppm': PIXELS },
  params: ({ home }) => ({ image: join(home, 'picture.ppm'), file: join(home, 'turned.png') }),
  plain: [
    ['launch', 'eom', '--wait', '--', '{{param.image}}'],
    ['menu', 'Edit > Rotate Clockwise', '--app', 'eom'],
    ['menu', 'Image > Save As…', '--app', 'eom'],
    ['set-value', '<textbox "Name:">', '{{param.file}}'],
    ['click', '<button "Save">'],
  ],
  check: async (home) => {
    const png = await readFile(join(home, 'turned.png'));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2, 3]);
  },
};

export const STORED_DATA: readonly Task[] = [passwordDatabase, longList, qtSettings, rotateImage];
