import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { eventually, type Errand } from '../errand.ts';

const Settings = z.looseObject({
  'speed-limit-down': z.number(),
  'speed-limit-down-enabled': z.boolean(),
  'start-added-torrents': z.boolean(),
});

const transmission: Errand = {
  name: 'Limit the speed of downloads',
  application: 'transmission-gtk',
  package: 'transmission-gtk',
  task: 'Open Transmission. In its preferences limit the download speed to 250 kB/s, and on the page "Downloading" turn off "Start added torrents". Then quit it.',
  before: [
    ['launch', 'transmission-gtk', '--wait'],
    ['snapshot', '--app', 'transmission-gtk'],
    ['click', '<button "I Agree">'],
    ['menu', 'Edit > Preferences', '--app', 'transmission-gtk'],
    ['snapshot', '--app', 'transmission-gtk'],
    ['click', '<checkbox "Download (kB/s):">'],
    ['set-value', '<spinbutton>', '250'],
    ['select', '<tab "Downloading">'],
    ['snapshot', '--app', 'transmission-gtk'],
    ['click', '<checkbox "Start added torrents">'],
    ['click', '<button "Close">'],
    ['menu', 'File > Quit', '--app', 'transmission-gtk'],
  ],
  now: [
    ['do', 'launch transmission-gtk --wait'],
    ['do', 'click <button "I Agree">', 'menu "Edit > Preferences"', '--app', 'transmission-gtk'],
    [
      'do',
      'fill <checkbox "Download (kB/s):"> on <spinbutton> 250',
      'select <tab "Downloading">',
      'toggle "role:checkbox[name=\\"Start added torrents\\"]" --to off',
      'click <button "Close">',
      'menu "File > Quit"',
      '--app',
      'transmission-gtk',
    ],
  ],
  // It writes the file when it ends, which takes a moment.
  check: async (home) =>
    eventually(async () => {
      const text = await readFile(join(home, '.config/transmission/settings.json'), 'utf8');
      assert.deepEqual(
        Settings.transform((all) => [
          all['speed-limit-down-enabled'],
          all['speed-limit-down'],
          all['start-added-torrents'],
        ]).parse(JSON.parse(text)),
        [true, 250, false],
      );
    }),
};
export default transmission;
