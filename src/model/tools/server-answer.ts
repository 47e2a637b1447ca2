import { z } from 'zod';
import { mentionCommand } from '../text/mention.ts';
import { reveal, stringifyVisibly } from '../text/untrusted-text.ts';

/** What a tool of another MCP server answered, or a part of it. */
export const ServerAnswer = z.object({
  server: z.string(),
  tool: z.string().describe('Its name in the list of tools.'),
  output: z.string().optional().describe('Text of the answer, written by that server.'),
  structured: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Structured content of the answer, if it is not too long.'),
  left_out: z.array(z.string()).optional().describe('What is not shown, and how to get it.'),
  result_id: z.string().optional().describe('Names the answer, to read the rest of it.'),
  next_cursor: z.int().optional().describe('Where the rest begins.'),
});
export type ServerAnswer = z.output<typeof ServerAnswer>;

/** Without the text of the server. */
export function outlineServerAnswer(answer: ServerAnswer): string {
  const { tool, left_out: leftOut = [], result_id: id, next_cursor: cursor } = answer;
  return [
    `${reveal(tool)} answered`,
    ...leftOut.map((line) => `left out: ${line}`),
    ...(id === undefined || cursor === undefined
      ? []
      : [`The rest: run ${mentionCommand('tools result', { result_id: id, cursor })}.`]),
  ].join('\n');
}

export function quotedServerAnswer({ output, structured }: ServerAnswer): string {
  if (output !== undefined) return output;
  return structured === undefined ? '' : stringifyVisibly(structured);
}
