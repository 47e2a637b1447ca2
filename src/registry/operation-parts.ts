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
import { flag } from './parameters.ts';

export { plainSandbox } from '../ports/runs.ts';

/** Time to start and end an operation and read its output, beyond its own run time. */
const AROUND_MS = 30_000;
/** Part of it for ending the operation, so that time remains to answer. */
const ENDING_MS = 15_000;
/** Interval of progress reports. */
const PROGRESS_MS = 5000;

export const OperationId = z
  .string()
  .regex(/^op-[a-z2-7]{6,}$/, { error: 'is not an operation id such as op-k3f7x2' })
  .describe('Operation, such as op-k3f7x2.');

/** The parameter `all` of commands on operations. */
export const OfAllProjects = flag(
  'Reach the operations of all projects, not only of the one in this folder.',
);

/** Parameters of every command-line tool, besides its own; never passed to the command. */
export const runMetaParameters = {
  working_directory: z
    .string()
    .min(1)
    .optional()
    .describe('Folder to run in, inside the sandbox. Default: the current one.'),
  execution_mode: z
    .enum(['sync', 'async'])
    .optional()
    .describe(
      `Wait for the end (sync), or return an ${mentionKey('operation_id')} if the command takes long (async).`,
    ),
  timeout_seconds: z
    .int()
    .min(1)
    .max(LONGEST_RUN_SECONDS)
    .optional()
    .describe('Time limit, after which the command is ended.'),
};

/**
 * The folder a run starts in: the requested one, relative to the caller's if that is inside the scope.
 * @throws DeskterityError INVALID_ARGUMENT if it does not exist or is outside the scope
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
  const problem = isOutside
    ? 'is outside the sandbox'
    : found === undefined
      ? 'does not exist'
      : 'is not a folder';
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${mentionKey('working_directory')} is ${quote(asked.slice(0, 200))}, which ${problem}.`,
    { suggestion: `Name a folder in ${quote(scope)}, or leave it out.` },
  );
}

/** Deadline of a call that may wait for a run of this length. */
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
 * Starts a command line and returns its result or, after the grace time, how to continue. A call cancelled before it has
 * returned the operation id ends the operation: nobody else knows it.
 */
export async function runOperation(
  ctx: CommandContext,
  request: RunRequest,
  { isSynchronous }: { readonly isSynchronous: boolean },
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

/** The operation when it has ended or time is up; reports progress meanwhile. */
export function waitFor(
  ctx: CommandContext,
  operations: OperationsPort,
  operationId: string,
  timeoutMs: number,
): Promise<OperationView> {
  let reportedAt = ctx.clock.now();
  return operations.wait(operationId, {
    timeoutMs,
    signal: ctx.signal,
    onProgress: (view) => {
      const now = ctx.clock.now();
      if (now - reportedAt < PROGRESS_MS) return;
      reportedAt = now;
      const { argv, duration_ms: ms } = summarize(view);
      ctx.progress?.({ message: `${argv[0] ?? view.tool} has been running for ${Math.round(ms / 1000)} s` });
    },
  });
}

/** The answer for an operation with its output, errors first. */
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
    if (!(error instanceof DeskterityError)) throw error;
    // The result stands even if the output cannot be read.
    return error.code === 'POLICY_DENIED'
      ? { text: '', left_out: [error.message], next_cursor: 0 }
      : undefined;
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
