import path from 'node:path';
import { z } from 'zod';

/** Where test files leave their rows, below the repository. */
export const RESULTS_FOLDER = path.resolve('node_modules/.cache/deskterity/compatibility');

export const OUTCOMES = ['works', 'refused', 'fails', 'skipped'] as const;

/** What one command does with one toolkit, as a test saw it. */
export const CompatibilityRow = z.object({
  toolkit: z.string(),
  command: z.string(),
  outcome: z.enum(OUTCOMES),
  /** Why it is refused, fails or was not tried. */
  reason: z.string().optional(),
});
export type CompatibilityRow = z.output<typeof CompatibilityRow>;

export const TOOLKITS = [
  'GTK 3',
  'GTK 4',
  'Qt 5',
  'Qt 6',
  'LibreOffice Calc',
  'Firefox',
  'Chromium',
] as const;

export const READING_COMMANDS = [
  'list-apps',
  'list-windows',
  'snapshot',
  'find',
  'get',
  'is',
  'focused',
  'screenshot',
  'wait',
  'status',
  'permissions',
  'version',
] as const;

export const ACTING_COMMANDS = ['click', 'set-value'] as const;
