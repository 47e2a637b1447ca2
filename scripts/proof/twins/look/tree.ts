import { z } from 'zod';
import { steadyName } from './harmless.ts';

const Box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/** x, y, width and height on the screen. */
export type Box = z.output<typeof Box>;

/** One accessible object that shows, as libatspi reports it. */
export const SeenNode = z.object({
  role: z.string(),
  name: z.string().transform(steadyName),
  states: z.array(z.string()),
  box: Box.nullable(),
  /** Its position among all children of its parent, shown or not. */
  index: z.int(),
  text: z.string().transform(steadyName).optional(),
  /** First and last of the characters of a field that are marked. */
  marked: z.tuple([z.int(), z.int()]).optional(),
  value: z.number().optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
  actions: z.int().optional(),
  get children(): z.ZodArray<typeof SeenNode> {
    return z.array(SeenNode);
  },
});
export type SeenNode = z.output<typeof SeenNode>;

const SeenApplication = z.object({
  name: z.string(),
  pid: z.int(),
  toolkit: z.string(),
  version: z.string(),
  windows: z.array(SeenNode),
});
export type SeenApplication = z.output<typeof SeenApplication>;

const SeenWindow = z.object({
  id: z.int(),
  title: z.string(),
  pid: z.int(),
  box: Box,
  /** False for menus, tooltips and other windows that the window manager does not manage. */
  managed: z.boolean(),
  /** Left, right, top and bottom: a shadow that the application draws around its window. */
  edges: z.array(z.number()).length(4).nullish(),
});
export type SeenWindow = z.output<typeof SeenWindow>;

/** What `walk.py` prints. */
export const Seen = z.object({
  applications: z.array(SeenApplication),
  windows: z.array(SeenWindow),
  complete: z.boolean(),
});
export type Seen = z.output<typeof Seen>;

/** A node with those above it, outermost first. */
export interface Placed {
  readonly node: SeenNode;
  readonly above: readonly SeenNode[];
  readonly application: SeenApplication;
}

/** All nodes in document order. */
export function* placed(seen: Seen): Generator<Placed> {
  for (const application of seen.applications)
    for (const window of application.windows) yield* below({ node: window, above: [], application });
}

function* below(from: Placed): Generator<Placed> {
  yield from;
  for (const node of from.node.children)
    yield* below({ node, above: [...from.above, from.node], application: from.application });
}
