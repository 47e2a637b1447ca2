import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../model/effects/errors.ts';
import { isOver } from '../model/tools/operation-status.ts';
import type { OperationView } from '../ports/operations.ts';
import type { HolderConnection } from './holder/holder-connection.ts';
import { TIMERS, within } from '../model/within.ts';
import { RUN_LIMITS } from './operation-parts.ts';
import type { OperationRecords } from './operation-records.ts';

export interface CancelParts {
  readonly records: OperationRecords;
  /** The holder at a socket, if there is one. */
  readonly find: (socket: string) => Promise<HolderConnection | undefined>;
  /** Our holder for a scope. @throws DeskterityError DAEMON_UNAVAILABLE, SANDBOX_UNAVAILABLE */
  readonly open: (scope: string) => Promise<HolderConnection>;
}

const { waits, settleMs } = RUN_LIMITS;
/** For a holder to end everything and write the record. */
const HOLDER_LIMIT_MS = waits.interruptMs + waits.terminateMs + 4 * settleMs;
/** For a holder to notice that its processes have exited. */
const NOTICE_LIMIT_MS = 2 * settleMs;
const POLL_MS = 50;

/**
 * Ends an operation through its holder; if that has exited or does not know the operation, another holder finds and ends its processes.
 * @returns the result; an operation whose holder has exited remains `lost`
 * @throws DeskterityError OPERATION_NOT_FOUND, DAEMON_UNAVAILABLE if it could not be ended
 */
export async function cancelOperation(parts: CancelParts, operationId: string): Promise<OperationView> {
  const { records } = parts;
  const view = await records.view(operationId);
  const isDone = isOver(view.status) || (await cancelAtHolder(parts, view));
  const now = isDone && view.status !== 'lost' ? await records.view(operationId) : view;
  if ((isOver(now.status) && now.status !== 'lost') || !records.mayRun(now)) return now;
  await endProcesses(parts, now);
  return untilNoticed(records, operationId);
}

/** @returns whether the holder cancelled it */
async function cancelAtHolder(
  { find }: CancelParts,
  { operation_id, holder }: OperationView,
): Promise<boolean> {
  const connection = await find(holder.socket);
  if (connection === undefined) return false;
  return inTime(connection.call({ type: 'cancel', operation: operation_id })).then(
    () => true,
    () => false,
  );
}

async function endProcesses(
  { open }: CancelParts,
  { operation_id: operation, process: leader, scope }: OperationView,
): Promise<void> {
  const connection = await open(scope);
  const named = leader && { pid: leader.pid, startTime: leader.start_time };
  await inTime(connection.call({ type: 'end', operation, leader: named }));
}

/** @throws DeskterityError DAEMON_UNAVAILABLE if it takes too long; errors of the step */
async function inTime(step: Promise<unknown>): Promise<void> {
  if ((await within(TIMERS, step, HOLDER_LIMIT_MS)) === undefined) throw notEnded();
}

async function untilNoticed(records: OperationRecords, operationId: string): Promise<OperationView> {
  const end = performance.now() + NOTICE_LIMIT_MS;
  for (;;) {
    const view = await records.view(operationId);
    if (isOver(view.status)) return view;
    if (performance.now() > end) throw notEnded();
    await sleep(POLL_MS);
  }
}

function notEnded(): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder of this operation does not answer.', {
    suggestion: 'Check its status, and cancel it again if it has not ended.',
    retryable: true,
  });
}
