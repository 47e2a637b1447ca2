import type { Errand } from '../errand.ts';
import booking from './booking-form.ts';
import featherpad from './featherpad-replace.ts';
import geany from './geany-preference.ts';
import gnumeric from './gnumeric-sum.ts';
import mousepad from './mousepad-save-as.ts';
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
];
