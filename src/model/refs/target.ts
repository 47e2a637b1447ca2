import { z } from 'zod';
import { Bounds } from '../tree/bounds.ts';

/** Characters of a name or title in answers; longer ones are cut and end with …. */
export const LONGEST_TITLE = 200;

/** An application as commands return it. */
export const AppSummary = z
  .object({
    name: z.string(),
    pid: z.int(),
    toolkit: z.string().optional(),
    toolkit_version: z.string().optional(),
    accessible: z.boolean(),
    reason: z.string().optional().describe('Why the application has no readable tree, and what to do.'),
    responsive: z.boolean().describe('False if it did not answer within the deadline.'),
    aliases: z.array(z.string()).optional().describe('Names that this session has given to it.'),
  })
  .meta({ id: 'App' });
export type AppSummary = z.output<typeof AppSummary>;

/** A window as commands return it. */
export const WindowSummary = z
  .object({
    ref: z.string(),
    id: z.string().describe('Its id on this platform.'),
    title: z.string(),
    app: z.string(),
    pid: z.int(),
    bounds: Bounds.optional(),
    focused: z.boolean(),
    minimized: z.boolean(),
    maximized: z.boolean().optional().describe('Present only if true.'),
    stacking: z.int().optional().describe('0 is the lowest window.'),
    accessible: z.boolean(),
    reason: z.string().optional(),
  })
  .meta({ id: 'Window' });
export type WindowSummary = z.output<typeof WindowSummary>;
