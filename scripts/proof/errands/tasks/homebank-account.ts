import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const homebank: Errand = {
  name: 'Start to keep accounts',
  application: 'homebank',
  package: 'homebank',
  task: 'Open HomeBank and create a new file with the title Household and an account named Checking. Save it as home.xhb in your home folder.',
  before: [
    ['launch', 'homebank', '--wait'],
    ['snapshot', '--app', 'homebank'],
    ['click', '<button "Create a new file">'],
    ['snapshot', '--app', 'homebank'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'homebank'],
    ['set-value', '<textbox "Title:">', 'Household'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'homebank'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'homebank'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'homebank'],
    ['set-value', '<textbox "Name:">', 'Checking'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'homebank'],
    ['click', '<button "Apply">'],
    ['press', 'ctrl+s', '--app', 'homebank'],
    ['snapshot', '--app', 'homebank'],
    ['set-value', '<textbox "Name:">', 'home.xhb'],
    ['click', '<button "Save">'],
  ],
  now: [
    ['do', 'launch homebank --wait', 'click role:button[name*="new file"]', '--app', 'homebank'],
    ['do', 'click <button "Next">', '--app', 'homebank'],
    [
      'do',
      'fill <textbox "Title:"> Household',
      'click role:button[name=Next]',
      'click role:button[name=Next]',
      'click role:button[name=Next]',
      '--app',
      'homebank',
    ],
    ['do', 'fill <textbox "Name:"> Checking', 'click role:button[name=Next]', '--app', 'homebank'],
    ['do', 'click <button "Apply">', 'press ctrl+s', '--app', 'homebank'],
    ['do', 'fill <textbox "Name:"> home.xhb', 'click <button "Save">', '--app', 'homebank'],
  ],
  check: async (home) => {
    const text = await readFile(join(home, 'home.xhb'), 'utf8');
    assert.match(text, /<properties [^>]*title="Household"/);
    assert.match(text, /<account [^>]*name="Checking"/);
  },
};
export default homebank;
