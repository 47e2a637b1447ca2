import { z } from 'zod';
import { ROLES } from './role.ts';

/** One step from a window to an element. */
const TrailStep = z.object({ role: z.enum(ROLES), name: z.string() });
export type TrailStep = z.output<typeof TrailStep>;

/** What is remembered of an element so that its ref keeps naming it, and nothing else. */
const ElementRecord = z.object({
  ref: z.string().regex(/^@e\d+$/),
  app: z.string(),
  path: z.string(),
  role: z.enum(ROLES),
  name: z.string(),
  window: z.string(),
  /** Ancestors, outermost first. */
  trail: z.array(TrailStep),
  /** The nearest named elements before and after it, which a look-alike elsewhere would not have. */
  neighbours: z.array(z.string()),
  /** Another element had the same role, name and trail: if this one vanishes, nothing can tell them apart. */
  has_twin: z.boolean(),
});
export type ElementRecord = z.output<typeof ElementRecord>;

const WindowRecord = z.object({ ref: z.string().regex(/^@w\d+$/), id: z.string() });

/** The stored form of a session's refs. */
export const RefDocument = z.object({
  desktop_id: z.string(),
  next_element: z.int().positive(),
  next_window: z.int().positive(),
  cursor: z.int().nonnegative(),
  elements: z.array(ElementRecord),
  windows: z.array(WindowRecord),
});
export type RefDocument = z.output<typeof RefDocument>;
