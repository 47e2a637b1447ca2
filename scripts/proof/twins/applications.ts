import { createHash } from 'node:crypto';
import { z } from 'zod';
import data from './applications.json' with { type: 'json' };

export const Application = z.object({
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** The Debian 12 package; none for our own. */
  package: z.string().optional(),
  /** Packages that its tree needs besides. */
  more: z.array(z.string()).optional(),
  /** What it is written with, as its row says; the version is read from the application. */
  toolkit: z.string(),
  command: z.array(z.string()).min(1),
  /** Buttons that close the dialogs of a first start, as libatspi reports them. */
  dismiss: z.array(z.object({ role: z.string(), name: z.string() })).default([]),
  /** False if it shows no accessibility tree at all, which its row then says. */
  tree: z.boolean().default(true),
  /** In the longer list from which the applications nobody has worked with are drawn. */
  pool: z.boolean().default(false),
  /** In that list, not drawn, and worked with since. */
  opened: z.boolean().optional(),
});
export type Application = z.output<typeof Application>;

const Applications = z.array(Application);

export const APPLICATIONS: readonly Application[] = Applications.parse(data);

/** Drawn once for all: another seed would be another list, and what was held out would no longer be unknown. */
const DRAW_SEED = 20_261_123;
const HELD_OUT = 20;

/** The applications that are run only at the end: drawn by seed from the longer list. */
export function heldOut(all: readonly Application[] = APPLICATIONS): readonly Application[] {
  return all
    .filter((application) => application.pool)
    .map((application) => ({ application, lot: lotOf(application.name) }))
    .toSorted((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, HELD_OUT)
    .map(({ application }) => application);
}

/** By name, so that a new application in the list cannot reshuffle the others. */
function lotOf(name: string): string {
  return createHash('sha256').update(`${DRAW_SEED} ${name}`).digest('hex');
}

/** The applications that may be worked with at any time. */
export function known(all: readonly Application[] = APPLICATIONS): readonly Application[] {
  return all.filter(({ pool, opened = false }) => !pool || opened);
}
