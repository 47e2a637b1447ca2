import { join } from 'node:path';
import type { Errand } from '../errand.ts';
import { hasLines } from '../lines.ts';

const galculator: Errand = {
  name: 'Separate thousands, and remember the display',
  application: 'galculator',
  package: 'galculator',
  task: 'Open galculator. In its preferences turn on "Show thousands separator" for decimal numbers, with blocks of 4 digits, and "Remember display value on exit". Then quit it.',
  before: [
    ['launch', 'galculator', '--wait'],
    ['snapshot', '--app', 'galculator'],
    ['menu', 'Edit > Preferences', '--app', 'galculator'],
    ['snapshot', '--app', 'galculator'],
    ['click', '<tab "Numbers">'],
    ['snapshot', '--app', 'galculator'],
    ['click', '<checkbox "Show thousands separator">'],
    ['set-value', '<spinbutton>', '4'],
    ['click', '<tab "General">'],
    ['snapshot', '--app', 'galculator'],
    ['click', '<checkbox "Remember display value on exit">'],
    ['click', '<button "Close">'],
    ['menu', 'File > Quit', '--app', 'galculator'],
  ],
  now: [
    [
      'do',
      'launch galculator --wait',
      'menu "Edit > Preferences"',
      'click role:tab[name=Numbers]',
      '--app',
      'galculator',
    ],
    [
      'do',
      'fill <checkbox "Show thousands separator"> on <spinbutton> 4',
      'click <tab "General">',
      'fill role:checkbox[name="Remember display value on exit"] on',
      'click <button "Close">',
      'menu "File > Quit"',
      '--app',
      'galculator',
    ],
  ],
  check: async (home) =>
    hasLines(join(home, '.config/galculator/galculator.conf'), [
      'dec_sep=true',
      'dec_sep_length=4',
      'remembers_display=true',
    ]),
};
export default galculator;
