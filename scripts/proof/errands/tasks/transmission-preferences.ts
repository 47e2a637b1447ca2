import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Errand } from '../errand.ts';

const Settings = z.looseObject({
  'speed-limit-down-enabled': z.boolean(),
  'start-added-torrents': z.boolean(),
  /** 2: required. */
  encryption: z.number(),
});

const transmission: Errand = {
  name: 'Change preferences on three pages',
  application: 'transmission-gtk',
  package: 'transmission-gtk',
  task: 'Open Transmission. In its preferences switch on the speed limit for downloads, on the page "Downloading" turn off "Start added torrents", and on the page "Privacy" set "Encryption mode" to "Require encryption". Then quit it.',
  // Its owner has agreed to its terms.
  files: { '.config/transmission/settings.json': '{ "user-has-given-informed-consent": true }' },
  before: [
    ['launch', 'transmission-gtk', '--wait'],
    ['menu', 'Edit > Preferences', '--app', 'transmission-gtk'],
    ['snapshot', '--app', 'transmission-gtk'],
    ['click', '<checkbox "Download (kB/s):">'],
    ['select', '<tab "Downloading">'],
    ['snapshot', '--app', 'transmission-gtk'],
    ['click', '<checkbox "Start added torrents">'],
    ['select', '<tab "Privacy">'],
    ['snapshot', '--app', 'transmission-gtk'],
    ['select', '<combobox "Encryption mode:">', 'Require encryption'],
    ['click', '<button "Close">'],
    ['menu', 'File > Quit', '--app', 'transmission-gtk'],
  ],
  now: [
    ['do', 'launch transmission-gtk --wait', 'menu "Edit > Preferences"', '--app', 'transmission-gtk'],
    [
      'do',
      'toggle <checkbox "Download (kB/s):"> --to on',
      'select <tab "Downloading">',
      'toggle "role:checkbox[name=\\"Start added torrents\\"]" --to off',
      'select <tab "Privacy">',
      `select 'label:"Encryption mode"' "Require encryption"`,
      'click <button "Close">',
      'menu "File > Quit"',
      '--app',
      'transmission-gtk',
    ],
  ],
  check: async (home) => {
    const text = await readFile(join(home, '.config/transmission/settings.json'), 'utf8');
    assert.deepEqual(
      Settings.transform((all) => [
        all['speed-limit-down-enabled'],
        all['start-added-torrents'],
        all.encryption,
      ]).parse(JSON.parse(text)),
      [true, false, 2],
    );
  },
};
export default transmission;
