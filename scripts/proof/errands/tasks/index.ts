import type { Errand } from '../errand.ts';
import mousepad from './mousepad-save-as.ts';

export const ERRANDS: readonly Errand[] = [mousepad];
