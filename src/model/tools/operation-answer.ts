import { mentionCommand } from '../text/mention.ts';
import { z } from 'zod';
import { CONFINEMENT_METHODS } from './confinement.ts';
import { isOver } from './operation-status.ts';
import { DeniedAccess, OperationStatus } from './operation.ts';
import { clip, reveal } from '../text/untrusted-text.ts';

/** An operation as answers show it. */
export const OperationSummary = z.object({
  operation_id: z.string(),
  tool: z.string(),
  status: OperationStatus,
  exit_code: z.int().optional(),
  signal: z.string().optional().describe('Signal that ended it, such as SIGKILL.'),
  started_at: z.string().describe('ISO 8601.'),
  duration_ms: z.int().describe('Time so far or, if it has ended, in total.'),
  argv: z
    .array(z.string())
    .describe('Program and arguments of the current or last step; long ones are cut and end with …'),
  step: z.string().optional().describe('Such as 2 of 3, for a sequence.'),
  sandbox: z
    .enum(CONFINEMENT_METHODS)
    .describe('What confines it; "none" if the user turned confinement off.'),
  output_bytes: z.int().describe('Size of the output so far.'),
  denied: z
    .array(DeniedAccess)
    .optional()
    .describe('What the sandbox denied, with the line of a tool file that would allow it.'),
  left_behind: z.int().optional().describe('Background processes that were ended with it.'),
  problem: z.string().optional(),
});
export type OperationSummary = z.output<typeof OperationSummary>;

/** An operation that ended while its session was doing something else. */
export const FinishedOperation = z.object({
  operation_id: z.string(),
  tool: z.string(),
  status: OperationStatus,
  exit_code: z.int().optional(),
});
export type FinishedOperation = z.output<typeof FinishedOperation>;

/** Part of an output, and what was left out. */
export const OutputText = {
  output: z.string().optional().describe('Its output; if that is long, the errors and the end.'),
  left_out: z.array(z.string()).optional().describe('What is not shown, and how to get it.'),
  next_cursor: z.int().optional().describe('Pass it as cursor to continue from here.'),
};

export const OperationAnswer = OperationSummary.extend(OutputText);
export type OperationAnswer = z.output<typeof OperationAnswer>;

const LONGEST_ARGUMENT = 500;
const LONGEST_COMMAND = 2000;

/** A command line, shortened for answers: the caller knows the rest. */
export function shownCommand(command: readonly string[]): string[] {
  const shown: string[] = [];
  let left = LONGEST_COMMAND;
  for (const argument of command) {
    if (left <= 0) return [...shown, '…'];
    const text = clip(argument, Math.min(LONGEST_ARGUMENT, left));
    shown.push(text);
    // Empty arguments count, too.
    left -= text.length + 1;
  }
  return shown;
}

/** Such as `op-k3f7x2 git_status succeeded in 12 ms`. */
export function outlineOperation(summary: OperationSummary): string {
  const { operation_id: id, tool, status, exit_code: code, signal, duration_ms: ms, step, problem } = summary;
  const how = signal ?? (code === undefined ? undefined : `exit code ${code}`);
  const ending = how === undefined || status === 'succeeded' ? '' : ` (${how})`;
  const place = step === undefined ? '' : `, step ${step}`;
  const time = ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
  const head = `${id} ${reveal(tool)} ${status}${ending}${status === 'running' ? ' for' : ' after'} ${time}${place}`;
  const denied = (summary.denied ?? []).map(
    ({ operation, target, program, count, allow }) =>
      `denied: ${operation} ${reveal(target)} by ${reveal(program)}${count > 1 ? ` (${count} times)` : ''}${allow === undefined ? '' : `; allowed by ${allow}`}`,
  );
  const left = summary.left_behind ?? 0;
  return [
    head,
    ...(summary.sandbox === 'none' ? ['NOT CONFINED: it can change everything that you can'] : []),
    ...(problem === undefined ? [] : [`problem: ${reveal(problem)}`]),
    ...(left === 0
      ? []
      : [`${left} background ${left === 1 ? 'process was' : 'processes were'} ended with it`]),
    ...denied,
  ].join('\n');
}

/** Without the output itself. */
export function outlineOperationAnswer(answer: OperationAnswer): string {
  const { operation_id: id, status, left_out: leftOut = [] } = answer;
  return [
    outlineOperation(answer),
    ...leftOut.map((line) => `left out: ${line}`),
    ...(isOver(status)
      ? []
      : [
          `You are not notified when it ends: do other work, then run ${mentionCommand('operation await', { operation_ids: [id] })}.`,
        ]),
  ].join('\n');
}
