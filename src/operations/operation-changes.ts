import { CONFINEMENT_METHODS } from '../model/tools/confinement.ts';
import type { OperationRecord } from '../model/tools/operation.ts';
import type { OperationRequest } from '../ports/operations.ts';
import type { ProcessExit } from '../ports/process.ts';
import type { OperationParts } from './operation-parts.ts';

type Step = OperationRecord['steps'][number];

/** The record before anything is started. */
export function firstRecord(
  { holder }: Pick<OperationParts, 'holder'>,
  request: OperationRequest,
  operationId: string,
): OperationRecord {
  return {
    format: 1,
    operation_id: operationId,
    tool: request.tool,
    status: 'starting',
    steps: request.steps.map(({ command }) => ({ command: [...command], status: 'waiting' })),
    cwd: request.steps[0]?.cwd ?? '/',
    scope: request.scope,
    sandbox: weakest(request),
    session: request.session,
    ...(request.owner === undefined ? {} : { owner: request.owner }),
    started_at: new Date().toISOString(),
    ...(request.timeoutMs === undefined ? {} : { timeout_ms: request.timeoutMs }),
    output: request.output,
    budget_bytes: request.budgetBytes,
    holder,
  };
}

/** The method of the least confined step. */
function weakest({ steps }: OperationRequest): OperationRecord['sandbox'] {
  const used = new Set(steps.map(({ confinement }) => confinement.by));
  return CONFINEMENT_METHODS.findLast((method) => used.has(method)) ?? 'none';
}

export function withStep(steps: readonly Step[], index: number, changes: Partial<Step>): Step[] {
  return steps.map((step, at) => (at === index ? { ...step, ...changes } : step));
}

export interface Outcome {
  readonly interruption: 'timed_out' | 'cancelled' | undefined;
  /** Of the last command. */
  readonly exit: ProcessExit | undefined;
  /** The current step could be started. */
  readonly isStarted: boolean;
}

/** The result of an operation that ended at step `index`, which is the number of steps if all succeeded. */
export function outcomeOf(
  steps: readonly Step[],
  index: number,
  { interruption, exit, isStarted }: Outcome,
): Pick<OperationRecord, 'status' | 'steps' | 'exit_code' | 'signal'> {
  const how = exitFields(exit);
  const hasSucceeded = exit?.exitCode === 0 && interruption === undefined;
  const ended = steps.map((step, at): Step => {
    if (at < index && step.status === 'succeeded') return step;
    if (hasSucceeded) return { ...step, status: 'succeeded', ...how };
    const wasRun = step.status === 'running' || (at === index && !isStarted);
    if (!wasRun) return { ...step, status: 'skipped' };
    // Even with exit code 0, which some programs return when interrupted.
    return { ...step, status: 'failed', ...how };
  });
  const status = interruption ?? (hasSucceeded ? 'succeeded' : 'failed');
  return { status, steps: ended, ...how };
}

function exitFields(exit: ProcessExit | undefined): Pick<OperationRecord, 'exit_code' | 'signal'> {
  return {
    ...(exit?.exitCode === undefined ? {} : { exit_code: exit.exitCode }),
    ...(exit?.signal === undefined ? {} : { signal: exit.signal }),
  };
}

/** Why a command could not be started, as a sentence for the record. */
export function startProblem(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
