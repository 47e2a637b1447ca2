import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import { answerResult, failureResult, type ResultForm } from '../tools/tool-result.ts';
import type { OperationDoor } from './client-tasks.ts';

const Waited = z.object({ still_running: z.array(z.string()) });
/** One wait; it is repeated. */
const WAIT_MS = 600_000;
/** Between attempts when operations cannot be reached. */
const RETRY_MS = 1000;
const MOST_FAILURES = 5;

/** Asks in the observing session: what has ended meanwhile must be told with the client's own calls. */
export function operationDoor(calls: Pick<ClientCalls, 'look'>, form: ResultForm): OperationDoor {
  return {
    ended: async (operationId, signal) => {
      for (let failures = 0; ;) {
        try {
          const input = { operation_ids: [operationId], timeout_ms: WAIT_MS };
          const { output } = await calls.look('operation await', input, { signal });
          failures = 0;
          if (Waited.parse(output).still_running.length > 0) continue;
          const shown = form.isTextOnly ? 'outline' : 'json';
          const answer = await calls.look(
            'operation status',
            { operation_id: operationId },
            { signal, form: shown },
          );
          return answerResult(answer, form);
        } catch (error) {
          failures += 1;
          if (!(error instanceof DeskterityError)) throw error;
          const isOver = signal.aborted || !error.retryable || failures >= MOST_FAILURES;
          if (isOver) return failureResult(error, form);
          await new Promise((resolve) => {
            setTimeout(resolve, RETRY_MS);
          });
        }
      }
    },
    cancel: async (operationId) => {
      const { output } = await calls.look('operation cancel', { operation_id: operationId });
      return output['status'] === 'cancelled';
    },
  };
}
