import { z } from 'zod';
import { Bounds } from '../src/model/tree/bounds.ts';
import { ELISION_REASONS, NAME_SOURCES, type TreeNode } from '../src/model/tree/node.ts';
import { ROLES } from '../src/model/tree/role.ts';
import { STATES } from '../src/model/tree/state.ts';

const RawNode: z.ZodType<TreeNode> = z.object({
  handle: z.object({ app: z.string(), path: z.string() }).default({ app: '', path: '' }),
  role: z.enum(ROLES),
  nativeRole: z.string(),
  name: z.string().default(''),
  nameFrom: z.enum(NAME_SOURCES).exactOptional(),
  value: z.string().exactOptional(),
  description: z.string().exactOptional(),
  identifier: z.string().exactOptional(),
  states: z.array(z.enum(STATES)).default([]),
  bounds: Bounds.exactOptional(),
  actions: z.array(z.string()).exactOptional(),
  childCount: z.int().exactOptional(),
  elided: z.enum(ELISION_REASONS).exactOptional(),
  offscreen: z.object({ before: z.int(), after: z.int() }).exactOptional(),
  get children() {
    return z.array(RawNode).default([]);
  },
});

/**
 * One recorded window: the answer of an adapter to `readTree`, before distillation. `kind` determines which goals apply. Empty lists and strings may be
 * left out of `tree`.
 */
export const RawTreeFile = z.object({
  name: z.string().describe('Application and window, such as "GNOME Calculator".'),
  kind: z.enum(['calculator', 'editor', 'settings', 'other']).default('other'),
  toolkit: z.string(),
  tree: RawNode,
});
export type RawTreeFile = z.output<typeof RawTreeFile>;
