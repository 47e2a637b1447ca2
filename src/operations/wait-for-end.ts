import { watch } from 'node:fs';
import { DeskterityError } from '../model/effects/errors.ts';
import { isOver } from '../model/tools/operation-status.ts';
import type { OperationsPort, OperationView } from '../ports/operations.ts';
import type { HolderLinks } from './holder/holder-links.ts';
import { operationFolder } from './operation-folder.ts';
import type { OperationRecords } from './operation-records.ts';

/** How often to look although nothing was heard: for bytes that came, and for holders that are gone without a word. */
const LOOK_MS = 1000;

/** Resolves when the operation is over or the time is up. @throws DeskterityError OPERATION_NOT_FOUND, CANCELLED */
export async function waitForEnd(
  records: OperationRecords,
  links: HolderLinks,
  operationId: string,
  { timeoutMs, signal, onProgress }: Parameters<OperationsPort['wait']>[1],
): Promise<OperationView> {
  const end = performance.now() + timeoutMs;
  let view = await records.view(operationId);
  if (isOver(view.status)) return view;
  const bell = new Bell(signal);
  const stop = await listen(records, links, view, bell);
  try {
    for (let told = progressOf(view); ;) {
      view = await records.view(operationId);
      if (isOver(view.status)) return view;
      if (signal.aborted) throw cancelled(operationId);
      if (progressOf(view) !== told) {
        told = progressOf(view);
        onProgress?.(view);
      }
      const left = end - performance.now();
      if (left <= 0) return view;
      await bell.rung(Math.min(left, LOOK_MS));
    }
  } finally {
    stop();
    bell.close();
  }
}

/** Rings when there is something new: by the word of the holder, or by what changes in the folder where none can be reached. */
async function listen(
  { stateFolder }: OperationRecords,
  links: HolderLinks,
  { operation_id, holder }: OperationView,
  bell: Bell,
): Promise<() => void> {
  const connection = await links.find(holder.socket).catch(() => undefined);
  if (connection !== undefined) {
    void connection.closed.then(() => bell.ring());
    return connection.onChange((change) => {
      if (change.operation === operation_id) bell.ring();
    });
  }
  try {
    const watcher = watch(operationFolder(stateFolder, operation_id), (_, name) => {
      if (name === 'operation.json') bell.ring();
    });
    // Its folder may be removed, and there are only so many watches: then it is looked at from time to time.
    watcher.on('error', () => undefined);
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

/** Wakes one who waits. One that rang while nobody waited is not forgotten. */
class Bell {
  private readonly signal: AbortSignal;
  private hasRung = false;
  private wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this.ring);
  }

  readonly ring = (): void => {
    this.hasRung = true;
    this.wake?.();
  };

  async rung(limitMs: number): Promise<void> {
    if (!this.hasRung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, limitMs);
      });
      clearTimeout(timer);
    }
    this.hasRung = false;
    this.wake = undefined;
  }

  close(): void {
    this.signal.removeEventListener('abort', this.ring);
  }
}

function progressOf({ status, steps, written }: OperationView): string {
  return JSON.stringify([status, steps.map((step) => step.status), written]);
}

function cancelled(operationId: string): DeskterityError {
  return new DeskterityError(
    'CANCELLED',
    `The wait for ${operationId} was cancelled; the operation goes on.`,
    {
      suggestion: 'Wait again, or cancel the operation itself.',
    },
  );
}
