import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { isReservedName, RESERVED_NAME } from '../text/reserved-name.ts';

export const MOST_STEPS = 200;
export const MOST_TRIES_AGAIN = 10;
const LONGEST_WAIT_MS = 600_000;

/** Keys of a step that are not the input of its command. */
const OWN_KEYS = ['id', 'about', 'retry', 'wait_after_ms', 'on_fail'] as const;

/** One step of a workflow as its file has it. */
export const WorkflowStep = z.preprocess(
  asStep,
  z.strictObject({
    command: z.string().min(1).max(80).describe('Name of a command, such as click.'),
    input: z.record(z.string(), z.unknown()).default({}).describe('Its parameters.'),
    id: z
      .string()
      .regex(/^(?!step_\d+$|param$)[A-Za-z_][\w-]{0,63}$/)
      .refine((id) => !isReservedName(id), { error: RESERVED_NAME })
      .optional()
      .describe('For references: {{id.field}}.'),
    about: z.string().max(500).optional().describe('What it is for.'),
    retry: z
      .int()
      .min(0)
      .max(MOST_TRIES_AGAIN)
      .default(0)
      .describe('How often to try again; never an act that may have been delivered.'),
    wait_after_ms: z.int().min(0).max(LONGEST_WAIT_MS).default(0),
    on_fail: z
      .enum(['abort', 'skip', 'rollback'])
      .default('abort')
      .describe('End; go on; or undo what can be undone, then end.'),
  }),
);
export type WorkflowStep = z.output<typeof WorkflowStep>;

/**
 * The other ways to write a step: `tool` and `args` for `command` and `input`, and the parameters beside the command, as steps of `do` have them.
 * What has both is left as it is, and refused.
 */
function asStep(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const step = renamed(renamed(given, 'tool', 'command'), 'args', 'input');
  if (Object.hasOwn(step, 'input')) return step;
  const isOwn = (key: string): boolean => key === 'command' || OWN_KEYS.some((own) => own === key);
  const entries = Object.entries(step);
  return Object.fromEntries([
    ...entries.filter(([key]) => isOwn(key)),
    ['input', Object.fromEntries(entries.filter(([key]) => !isOwn(key)))],
  ]);
}

function renamed(step: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  if (!Object.hasOwn(step, from) || Object.hasOwn(step, to)) return step;
  return Object.fromEntries(Object.entries(step).map(([key, value]) => [key === from ? to : key, value]));
}

/** How messages and references name a step: by its position, counted from 0. */
export function stepLabel(index: number): string {
  return `step_${index}`;
}
