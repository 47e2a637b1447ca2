import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PASSWORD_MANAGERS_ALLOWED } from '../../password-managers-allowed.ts';
import { eventually, type Errand } from '../errand.ts';

const PASSWORD = 'correct horse';

// Its second page measures the machine for a second before it answers "Continue".
const keepassxc: Errand = {
  name: 'Create a password database with an entry',
  application: 'keepassxc',
  package: 'keepassxc',
  files: PASSWORD_MANAGERS_ALLOWED,
  task: `Open KeePassXC, create a database Family with the password "${PASSWORD}", saved as Family.kdbx in your home folder, and add an entry Mail with the user name ada and the URL https://mail.example.org.`,
  before: [
    ['launch', 'keepassxc', '--wait'],
    ['snapshot', '--app', 'keepassxc'],
    ['click', '<button "Create new database">'],
    ['snapshot', '--app', 'keepassxc'],
    ['set-value', '<textbox "Database name field">', 'Family'],
    ['click', '<button "Continue">'],
    ['snapshot', '--app', 'keepassxc'],
    ['click', '<button "Continue">'],
    ['wait', '--element', 'app:keepassxc >> role:button[name=Done]'],
    ['snapshot', '--app', 'keepassxc'],
    ['set-value', 'app:keepassxc >> label:"Enter password"', PASSWORD],
    ['set-value', 'app:keepassxc >> label:"Confirm password"', PASSWORD],
    ['click', '<button "Done">'],
    ['snapshot', '--app', 'keepassxc'],
    ['set-value', '<textbox "File name:">', 'Family.kdbx'],
    ['click', '<button "Save">'],
    ['click', '<button "New Entry…">'],
    ['snapshot', '--app', 'keepassxc'],
    ['set-value', '<textbox "Title field">', 'Mail'],
    ['set-value', 'app:keepassxc >> role:combobox[name="Username field"] >> role:textbox', 'ada'],
    ['set-value', '<textbox "Url field">', 'https://mail.example.org'],
    ['click', '<button "OK">'],
    ['press', 'ctrl+s', '--app', 'keepassxc'],
  ],
  now: [
    ['do', 'launch keepassxc --wait'],
    [
      'do',
      'click <button "Create new database">',
      'fill label:"Database Name" Family',
      'click role:button[name=Continue]',
      '--app',
      'keepassxc',
    ],
    ['do', 'click <button "Continue">', 'wait --element role:button[name=Done]', '--app', 'keepassxc'],
    [
      'do',
      `fill label:"Enter password" "${PASSWORD}" label:"Confirm password" "${PASSWORD}"`,
      'click <button "Done">',
      'fill label:"File name" Family.kdbx',
      'click role:button[name=Save]',
      'click <button "New Entry…">',
      '--app',
      'keepassxc',
    ],
    [
      'do',
      'fill <textbox "Title field"> Mail role:combobox[name="Username field"] >> role:textbox ada <textbox "Url field"> https://mail.example.org',
      'click role:button[name="OK"]',
      'press ctrl+s',
      '--app',
      'keepassxc',
    ],
  ],
  check: async (home) =>
    eventually(async () => {
      const file = join(home, 'Family.kdbx');
      const { stdout } = spawnSync('keepassxc-cli', ['show', '-q', file, 'Mail'], {
        input: `${PASSWORD}\n`,
        encoding: 'utf8',
      });
      assert.match(stdout, /^UserName: ada$/m);
      assert.match(stdout, /^URL: https:\/\/mail\.example\.org$/m);
    }),
};
export default keepassxc;
