import type { Errand } from '../errand.ts';
import booking from './booking-form.ts';
import claws from './claws-account.ts';
import featherpad from './featherpad-replace.ts';
import filezilla from './filezilla-site.ts';
import galculator from './galculator-preferences.ts';
import geany from './geany-preference.ts';
import gnumeric from './gnumeric-sum.ts';
import homebank from './homebank-account.ts';
import keepassxc from './keepassxc-entry.ts';
import mousepad from './mousepad-save-as.ts';
import pcmanfm from './pcmanfm-copy.ts';
import qbittorrent from './qbittorrent-limits.ts';
import textEditor from './text-editor-save.ts';
import thunar from './thunar-folder.ts';
import transmission from './transmission-preferences.ts';
import writer from './writer-letter.ts';

export const ERRANDS: readonly Errand[] = [
  mousepad,
  gnumeric,
  writer,
  geany,
  transmission,
  featherpad,
  booking,
  claws,
  filezilla,
  galculator,
  homebank,
  keepassxc,
  pcmanfm,
  qbittorrent,
  textEditor,
  thunar,
];
