import { mentionKey } from '../model/text/mention.ts';
import { resolve } from 'node:path';
import { z } from 'zod';
import { DeskterityError } from '../model/effects/errors.ts';
import { quote } from '../model/text/untrusted-text.ts';
import { LONGEST_RUN_SECONDS } from '../model/tools/run-seconds.ts';
import { isOver } from '../model/tools/operation-status.ts';
import { OperationAnswer, outlineOperationAnswer, shownCommand } from '../model/tools/operation-answer.ts';
import type { OperationSummary } from '../model/tools/operation-answer.ts';
import type { OperationView, OperationsPort } from '../ports/operations.ts';
import type { RunRequest } from '../ports/runs.ts';
import type { CommandContext } from './definition.ts';
import { isInside } from '../model/is-inside.ts';

export { plainSandbox } from '../ports/runs.ts';

/** Time for an operation to be started, ended and its output to be read, beyond its own. */
const AROUND_MS = 30_000;
/** Of that, to be ended: what is over by then has time to answer. */
const ENDING_MS = 15_000;
/** How often whoever waits is told that it goes on. */
const PROGRESS_MS = 5000;

export const OperationId = z
  .string()
  .regex(/^op-[a-z2-7]{6,}$/, { error: 'is not an operation such as op-k3f7x2' })
  .describe('Operation, such as op-k3f7x2.');

/** What every command-line tool takes beside its own input; never passed on to the command. */
export const runMetaParameters = {
  working_directory: z
    .string()
    .min(1)
    .optional()
    .describe('Folder to run in, inside the sandbox. Default: the one you are in.'),
  execution_mode: z
    .enum(['sync', 'async'])
    .optional()
    .describe(
      `Wait for the end (sync), or answer with an ${mentionKey('operation_id')} when the command takes long (async).`,
    ),
  timeout_seconds: z
    .int()
    .min(1)
    .max(LONGEST_RUN_SECONDS)
    .optional()
    .describe('Time after which the command is ended.'),
};

/**
 * The folder a run starts in: what was asked for, from the caller's own where that lies inside the scope.
 * @throws DeskterityError INVALID_ARGUMENT for one that is not there, or outside
 */
export async function workingFolder(
  ctx: Pick<CommandContext, 'cwd'> & { readonly files: Pick<CommandContext['files'], 'find'> },
  scope: string,
  asked: string | undefined,
): Promise<string> {
  const usual = isInside(scope, ctx.cwd) ? ctx.cwd : scope;
  const target = resolve(usual, asked ?? '.');
  const found = target.includes('\0') ? undefined : await ctx.files.find(target);
  if (found?.kind === 'folder' && isInside(scope, found.path)) return found.path;
  if (asked === undefined) return scope;
  const isOutside = !isInside(scope, found?.path ?? target);
  const problem = isOutside ? 'outside the sandbox' : found === undefined ? 'not there' : 'no folder';
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${mentionKey('working_directory')} is ${quote(asked.slice(0, 200))}, which is ${problem}.`,
    { suggestion: `Name a folder in ${quote(scope)}, or leave it out.` },
  );
}

export interface RunChoice {
  /** Waits for the end. */
  readonly isSynchronous: boolean;
}

/** Deadline of a call that may wait for the end of what runs so long. */
export function runDeadlineMs(seconds: number): number {
  return seconds * 1000 + AROUND_MS;
}

/** The answer of a command that runs another one. */
export const runAnswerParts = {
  output: OperationAnswer,
  outline: outlineOperationAnswer,
  quoted: ({ output = '' }: OperationAnswer) => output,
  text: ({ output = '' }: OperationAnswer) => output.trimEnd(),
  exitCode: ({ status }: OperationAnswer) => (status === 'succeeded' || !isOver(status) ? 0 : 1),
};

/**
 * Starts a command line and answers with its end or, when it takes longer than the grace time, with how to go on. A call that is cancelled before
 * it has told the operation's name ends the operation: nobody else knows of it.
 */
export async function runOperation(
  ctx: CommandContext,
  request: RunRequest,
  { isSynchronous }: RunChoice,
): Promise<OperationAnswer> {
  const { operations: settings } = ctx.configuration.values;
  const runs = await ctx.runs();
  const operations = await ctx.operations();
  const started = await runs.start(request);
  const id = started.operation_id;
  const timeoutMs = isSynchronous || settings.synchronous ? request.timeoutMs + ENDING_MS : settings.grace_ms;
  try {
    const view = await waitFor(ctx, operations, id, timeoutMs);
    return await answerOf(ctx, operations, view);
  } catch (error) {
    if (ctx.signal.aborted) await operations.cancel(id).catch(() => undefined);
    throw error;
  }
}

/** The operation when it is over or the time is up; whoever listens is told that it goes on. */
export function waitFor(
  ctx: CommandContext,
  operations: OperationsPort,
  operationId: string,
  timeoutMs: number,
): Promise<OperationView> {
  let toldAt = ctx.clock.now();
  return operations.wait(operationId, {
    timeoutMs,
    signal: ctx.signal,
    onProgress: (view) => {
      const now = ctx.clock.now();
      if (now - toldAt < PROGRESS_MS) return;
      toldAt = now;
      const { argv, duration_ms: ms } = summarize(view);
      ctx.progress?.({ message: `${argv[0] ?? view.tool} runs for ${Math.round(ms / 1000)} s` });
    },
  });
}

/** With what it wrote, errors first. */
export async function answerOf(
  ctx: CommandContext,
  operations: OperationsPort,
  view: OperationView,
): Promise<OperationAnswer> {
  const { answer_tokens: maxTokens } = ctx.configuration.values.operations;
  const summary = summarize(view);
  const stream =
    view.output === 'merged'
      ? 'merged'
      : (view.written.stderr ?? 0) > 0 && view.status !== 'succeeded'
        ? 'stderr'
        : 'stdout';
  const part = await operations.read(view.operation_id, { maxTokens, stream }).catch((error: unknown) => {
    // That its output cannot be read does not change how it ended.
    if (error instanceof DeskterityError) return undefined;
    throw error;
  });
  const isRunning = !isOver(view.status);
  return {
    ...summary,
    ...(part === undefined || part.text === '' ? {} : { output: part.text }),
    ...(part === undefined || part.left_out.length === 0 ? {} : { left_out: [...part.left_out] }),
    ...(isRunning && part !== undefined ? { next_cursor: part.next_cursor } : {}),
  };
}

export function summarize(view: OperationView): OperationSummary {
  const { steps, status } = view;
  const at = Math.max(
    0,
    steps.findLastIndex((step) => step.status !== 'waiting' && step.status !== 'skipped'),
  );
  const ended = view.ended_at === undefined ? Date.now() : Date.parse(view.ended_at);
  return {
    operation_id: view.operation_id,
    tool: view.tool,
    status,
    ...(view.exit_code === undefined ? {} : { exit_code: view.exit_code }),
    ...(view.signal === undefined ? {} : { signal: view.signal }),
    started_at: view.started_at,
    duration_ms: Math.max(0, ended - Date.parse(view.started_at)),
    argv: shownCommand(steps[at]?.command ?? []),
    ...(steps.length > 1 ? { step: `${at + 1} of ${steps.length}` } : {}),
    sandbox: view.sandbox,
    output_bytes: Object.values(view.written).reduce((sum, bytes) => sum + bytes, 0),
    ...(view.denied === undefined || view.denied.length === 0 ? {} : { denied: view.denied }),
    ...(view.left_behind === undefined || view.left_behind === 0 ? {} : { left_behind: view.left_behind }),
    ...(view.problem === undefined ? {} : { problem: view.problem }),
  };
}
