import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const geany: Errand = {
  name: 'Write a script and change a preference',
  application: 'geany',
  package: 'geany',
  task: 'Open Geany, write print(1) into a new file and save it as hello.py in your home folder. Then turn off "Load files from the last session" in the preferences.',
  before: [
    ['launch', 'geany', '--wait'],
    ['snapshot', '--app', 'geany'],
    ['type', '<textbox>', 'print(1)'],
    ['menu', 'File > Save As…', '--app', 'geany'],
    ['snapshot', '--app', 'geany'],
    ['set-value', '<textbox "Name:">', 'hello.py'],
    ['click', '<button "Save">'],
    ['menu', 'Edit > Preferences', '--app', 'geany'],
    ['snapshot', '--app', 'geany'],
    ['click', '<checkbox "Load files from the last session">'],
    ['click', '<button "OK">'],
  ],
  now: [
    ['do', 'launch geany --wait', 'type print(1)', 'menu "File > Save As…"', '--app', 'geany'],
    [
      'do',
      'fill <textbox "Name:"> hello.py',
      'click <button "Save">',
      'menu "Edit > Preferences"',
      'toggle "role:checkbox[name=\\"Load files from the last session\\"]" --to off',
      'click role:button[name=OK]',
      '--app',
      'geany',
    ],
  ],
  check: async (home) => {
    assert.equal((await readFile(join(home, 'hello.py'), 'utf8')).trim(), 'print(1)');
    assert.match(
      await readFile(join(home, '.config/geany/geany.conf'), 'utf8'),
      /^pref_main_load_session=false$/m,
    );
  },
};
export default geany;
