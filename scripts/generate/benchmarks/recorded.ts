import { z } from 'zod';

const Figure = z.object({
  what: z.string(),
  value: z.number(),
  unit: z.string(),
  goal: z.string().optional(),
  met: z.boolean().optional(),
  baseline: z.number().optional(),
  beside: z.string().optional(),
  ratio: z.number().optional(),
  point: z.object({ curve: z.string(), axis: z.string(), at: z.number() }).optional(),
  note: z.string().optional(),
});
export type RecordedFigure = z.output<typeof Figure>;

/** What `npm run bench -- NAME --record` has written. */
export const RecordedBench = z.object({
  name: z.string().regex(/^[a-z][a-z-]*$/),
  date: z.string(),
  commit: z.string(),
  /** A benchmark that was measured part by part; see `scripts/lib/merge-bench.mjs`. */
  parts: z
    .array(z.object({ only: z.string(), date: z.string(), commit: z.string(), load_after: z.number() }))
    .default([]),
  machine: z.object({
    node: z.string(),
    system: z.string(),
    processors: z.int(),
    processor: z.string(),
    load_after: z.number(),
  }),
  figures: z.array(Figure),
});
export type RecordedBench = z.output<typeof RecordedBench>;
