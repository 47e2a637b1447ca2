import { z } from 'zod';
import { Bounds } from '../../../src/model/tree/bounds.ts';
import { OutputNode } from '../../../src/model/tree/node.ts';
import { AppSummary, WindowSummary } from '../../../src/model/refs/target.ts';

/** What the tests read of the program's answers. */
export const ListedApps = z.looseObject({ apps: z.array(AppSummary.loose()) });
export const ListedWindows = z.looseObject({ windows: z.array(WindowSummary) });
export const Snapshot = z.looseObject({
  app: z.string(),
  window: WindowSummary.optional(),
  ref_count: z.number(),
  tree: OutputNode,
  complete: z.boolean(),
  incomplete_reasons: z.array(z.string()).optional(),
  elided: z.number(),
  continued: z
    .array(z.object({ root: z.string(), after: z.string().optional(), elided: z.number() }))
    .optional(),
  cursor: z.string().regex(/^c\d+$/),
});
const FoundNode = z.intersection(
  OutputNode,
  z.object({ within: z.array(z.string()), score: z.number().optional() }),
);
export const Found = z.looseObject({
  matches: z.array(FoundNode),
  count: z.number(),
  total: z.number(),
  matched_by: z.string().optional(),
  near_misses: z.array(FoundNode).optional(),
  cut_after: z.string().optional(),
  complete: z.boolean(),
  incomplete_reasons: z.array(z.string()).optional(),
});
export const Got = z.looseObject({ value: z.unknown() });
export const GotBounds = z.looseObject({ value: Bounds });
export const GotText = z.looseObject({ value: z.string() });
export const Is = z.looseObject({ answer: z.boolean(), states: z.array(z.string()) });
export const Focused = z.looseObject({ element: OutputNode.nullable(), text: z.string().optional() });
export const Picture = z.looseObject({
  path: z.string(),
  format: z.string(),
  width: z.number(),
  height: z.number(),
  origin: z.object({ x: z.number(), y: z.number() }),
  scale: z.number(),
  bytes: z.number(),
  labels: z
    .array(z.object({ ref: z.string(), role: z.string(), name: z.string().optional(), bounds: Bounds }))
    .optional(),
});
export const Waited = z.looseObject({
  waited_ms: z.number(),
  element: OutputNode.optional(),
  window: WindowSummary.optional(),
});

/** A node and everything below it, in document order. */
export function flatten(node: OutputNode): OutputNode[] {
  return [node, ...(node.children ?? []).flatMap((child) => flatten(child))];
}
