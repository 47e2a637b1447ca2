import { z } from 'zod';

/** One problem of a tool file. */
export const ToolFileProblem = z.object({
  file: z.string(),
  line: z.int().describe('From 1.'),
  column: z.int().describe('From 1, in UTF-16 units.'),
  pointer: z.string().describe('JSON pointer (RFC 6901) of the problem; empty for the whole file.'),
  message: z.string().describe('A sentence without its full stop.'),
  suggestion: z.string().describe('What to do, as a sentence.'),
});
export type ToolFileProblem = Readonly<z.output<typeof ToolFileProblem>>;
