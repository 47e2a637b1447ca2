import { mentionKey } from '../../model/text/mention.ts';
import { z } from 'zod';
import { OutputText } from '../../model/tools/operation-answer.ts';
import { defineCommand, flag, OfAllProjects, OperationId } from '../../registry/define.ts';

const ONE_WAY = ['tail', 'lines', 'pattern'] as const;
const FROM_START = ['cursor', 'head', 'head_bytes'] as const;

const LineRange = z
  .string()
  .regex(/^[1-9]\d{0,11}-[1-9]\d{0,11}$/, { error: 'must be FIRST-LAST, such as 100-150' })
  .describe('Lines by number, such as 100-150.');

export default defineCommand({
  name: ['operation', 'output'],
  group: 'operations',
  kind: 'read',
  toolsets: ['operations'],
  peopleOnly: 'all',
  summary: 'Read what an operation wrote.',
  description: `Default: the errors, then the end. Otherwise give one of cursor, head, tail, lines or pattern. Output longer than ${mentionKey('max_tokens')} is cut, and ${mentionKey('left_out')} says what is missing and how to get it.`,
  input: z
    .object({
      operation_id: OperationId,
      all: OfAllProjects,
      cursor: z
        .int()
        .min(0)
        .optional()
        .describe(`First byte to read: ${mentionKey('next_cursor')} of an earlier answer.`),
      head: z
        .int()
        .min(1)
        .max(100_000)
        .optional()
        .describe('Number of lines to read from the beginning, or from the cursor on.'),
      head_bytes: z
        .int()
        .min(1)
        .optional()
        .describe('Number of bytes to read from the beginning, or from the cursor on.'),
      tail: z.int().min(1).max(100_000).optional().describe('Number of lines to read from the end.'),
      lines: LineRange.optional(),
      pattern: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('Only lines that match this regular expression.'),
      ignore_case: flag('Ignore case in the pattern.'),
      context: z.int().min(0).max(50).default(2).describe('Lines shown around each match.'),
      stream: z
        .enum(['merged', 'stdout', 'stderr'])
        .optional()
        .describe('Stream to read, if they were kept separate.'),
      max_tokens: z
        .int()
        .min(100)
        .max(50_000)
        .default(4000)
        .describe('Maximum size of the answer in tokens.'),
    })
    .refine(
      (input) => {
        const isFromStart = FROM_START.some((key) => input[key] !== undefined);
        return ONE_WAY.filter((key) => input[key] !== undefined).length + Number(isFromStart) < 2;
      },
      {
        path: ['cursor'],
        error:
          'cannot be combined: give one of cursor, tail, lines and pattern; head goes with cursor or alone',
      },
    ),
  positionals: ['operation_id'],
  output: z.object({
    operation_id: z.string(),
    ...OutputText,
    total_bytes: z.int(),
    total_lines: z.int(),
  }),
  examples: [
    { about: 'The errors and the end', input: { operation_id: 'op-k3f7x2' }, format: 'text' },
    { about: 'What it has written since then', input: { operation_id: 'op-k3f7x2', cursor: 4096 } },
    { about: 'How it began', input: { operation_id: 'op-k3f7x2', head: 40 } },
    {
      about: 'Every warning with the lines around it',
      input: { operation_id: 'op-k3f7x2', pattern: 'warning', ignore_case: true },
    },
  ],
  outline: ({ output = '', left_out: leftOut = [], total_lines: lines, next_cursor: cursor }) =>
    [
      ...(output === '' ? ['no output'] : []),
      ...leftOut.map((line) => `left out: ${line}`),
      `${lines} lines in all${cursor === undefined ? '' : `, next cursor ${cursor}`}`,
    ].join('\n'),
  quoted: ({ output = '' }) => output,
  text: ({ output = '' }) => output.replace(/\n$/, ''),
  run: async (ctx, input) => {
    const operations = await ctx.operations(input.all ? 'all' : 'project');
    const [first = 1, last = 1] = (input.lines ?? '').split('-').map(Number);
    const part = await operations.read(input.operation_id, {
      stream: input.stream,
      cursor: input.cursor,
      head: input.head,
      headBytes: input.head_bytes,
      tail: input.tail,
      lines: input.lines === undefined ? undefined : { first, last },
      pattern: input.pattern,
      ignoreCase: input.ignore_case,
      context: input.context,
      maxTokens: input.max_tokens,
    });
    return {
      operation_id: input.operation_id,
      output: part.text,
      ...(part.left_out.length === 0 ? {} : { left_out: [...part.left_out] }),
      next_cursor: part.next_cursor,
      total_bytes: part.total_bytes,
      total_lines: part.total_lines,
    };
  },
});
