import type { Confinement } from '../model/tools/confinement.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { isOver } from '../model/tools/operation-status.ts';
import type { OperationRequest, OperationsPort, OperationView } from '../ports/operations.ts';
import { cancelOperation } from './cancel-operation.ts';
import { EndWatch } from './end-watch.ts';
import { HolderLinks } from './holder/holder-links.ts';
import { programOf } from './holder/start-holder.ts';
import { operationFolder } from './operation-folder.ts';
import { OperationRecords, removeOldOperations, startedView } from './operation-records.ts';
import { readOutput } from './output/output-reader.ts';
import { outputFolder } from './record-folders.ts';
import type { OperationsParts } from './operation-parts.ts';
import { waitForEnd } from './wait-for-end.ts';

/** Interval between removals of old operations. */
const TIDY_MS = 10 * 60_000;
/** A holder may exit between being found and being called. */
const MOST_TRIES = 3;

/** The daemon's view of operations: holders, which outlive it, run them; their records are read from disk. */
export function createOperations(parts: OperationsParts): OperationsPort {
  const records = new OperationRecords(parts.stateFolder, parts.identity);
  const links = new HolderLinks(parts.stateFolder, parts.restMs);
  const ends = new EndWatch(records, links);
  let tidyAt = Number.NEGATIVE_INFINITY;

  const tidy = () => {
    const now = performance.now();
    if (now < tidyAt) return;
    tidyAt = now + TIDY_MS;
    removeOldOperations(records).catch(() => undefined);
  };

  const openHolderOf = (scope: string) => links.open(programOf(parts, scope));

  const prepare = async (confinement: Confinement) => {
    const connection = await openHolderOf(confinement.scope);
    await connection.call({ type: 'prepare', confinement });
  };

  const start = async (request: OperationRequest): Promise<OperationView> => {
    tidy();
    for (let tries = 1; ; tries += 1) {
      const connection = await openHolderOf(request.scope);
      try {
        const answer = await connection.call({ type: 'start', request });
        const view = answer.type === 'started' ? startedView(answer.record) : undefined;
        if (view === undefined) throw noAnswer();
        ends.track(view.operation_id);
        return view;
      } catch (error) {
        if (!isNotDelivered(error) || tries === MOST_TRIES) throw error;
        connection.end();
        await connection.closed;
      }
    }
  };

  return {
    prepare,
    start,
    status: (operationId) => records.view(operationId),
    list: async ({ scope, session, running }) =>
      (await records.all()).filter(
        (view) =>
          (scope === undefined || view.scope === scope) &&
          (session === undefined || view.session === session) &&
          (running === undefined || running === !isOver(view.status)),
      ),
    wait: (operationId, options) => waitForEnd(records, links, operationId, options),
    cancel: (operationId) =>
      cancelOperation(
        { records, find: (socket) => links.find(socket), open: (scope) => openHolderOf(scope) },
        operationId,
      ),
    read: async (operationId, query) => {
      const { output, status } = await records.view(operationId);
      const folder = outputFolder(operationFolder(parts.stateFolder, operationId));
      return readOutput({ folder, kind: output, isComplete: isOver(status) }, query);
    },
    onEnd: (listener) => ends.add(listener),
  };
}

/** The holder was just exiting: nothing was done. */
export function isNotDelivered(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'DAEMON_UNAVAILABLE' && error.delivered === false;
}

function noAnswer(): DeskterityError {
  return new DeskterityError('INTERNAL', 'The holder of operations sent an unexpected answer.', {
    suggestion: 'List operations to see the result.',
  });
}
