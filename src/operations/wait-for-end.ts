import { watch } from 'node:fs';
import { DeskterityError } from '../model/effects/errors.ts';
import { isOver } from '../model/tools/operation-status.ts';
import type { OperationsPort, OperationView } from '../ports/operations.ts';
import type { HolderLinks } from './holder/holder-links.ts';
import { operationFolder } from './operation-folder.ts';
import type { OperationRecords } from './operation-records.ts';

/** How often to check without an event: for new output, and for holders that have exited. */
const POLL_MS = 1000;

/** Resolves when the operation has ended or the time is up. @throws DeskterityError OPERATION_NOT_FOUND, CANCELLED */
export async function waitForEnd(
  records: Pick<OperationRecords, 'view' | 'stateFolder'>,
  links: Pick<HolderLinks, 'find'>,
  operationId: string,
  { timeoutMs, signal, onProgress }: Parameters<OperationsPort['wait']>[1],
): Promise<OperationView> {
  const end = performance.now() + timeoutMs;
  let view = await records.view(operationId);
  if (isOver(view.status)) return view;
  const wakeUp = new WakeUp(signal);
  // Not waited for: a holder that is suspended must not cost this call its deadline.
  const listening = listen(records, links, view, wakeUp);
  void listening.then(() => wakeUp.notify());
  try {
    for (let reported = progressOf(view); ;) {
      view = await records.view(operationId);
      if (isOver(view.status)) return view;
      if (signal.aborted) throw cancelled(operationId);
      if (progressOf(view) !== reported) {
        reported = progressOf(view);
        onProgress?.(view);
      }
      const left = end - performance.now();
      if (left <= 0) return view;
      await wakeUp.wait(Math.min(left, POLL_MS));
    }
  } finally {
    void listening.then((stop) => stop());
    wakeUp.close();
  }
}

/** Wakes the waiter on changes: reported by the holder, or seen in the folder if no holder can be reached. */
async function listen(
  { stateFolder }: Pick<OperationRecords, 'stateFolder'>,
  links: Pick<HolderLinks, 'find'>,
  { operation_id, holder }: OperationView,
  wakeUp: WakeUp,
): Promise<() => void> {
  const connection = await links.find(holder.socket).catch(() => undefined);
  if (connection !== undefined) {
    const stops = [
      connection.onClose(wakeUp.notify),
      connection.onChange((change) => {
        if (change.operation === operation_id) wakeUp.notify();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }
  try {
    const watcher = watch(operationFolder(stateFolder, operation_id), (_, name) => {
      if (name === 'operation.json') wakeUp.notify();
    });
    // The folder may be removed, or the system may have no watches left: then only polling remains.
    watcher.on('error', () => undefined);
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

/** Wakes a waiter. A notification without a waiter is remembered. */
class WakeUp {
  private readonly signal: AbortSignal;
  private isNotified = false;
  private wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this.notify);
  }

  readonly notify = (): void => {
    this.isNotified = true;
    this.wake?.();
  };

  async wait(limitMs: number): Promise<void> {
    if (!this.isNotified) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, limitMs);
      });
      clearTimeout(timer);
    }
    this.isNotified = false;
    this.wake = undefined;
  }

  close(): void {
    this.signal.removeEventListener('abort', this.notify);
  }
}

function progressOf({ status, steps, written }: OperationView): string {
  return JSON.stringify([status, steps.map((step) => step.status), written]);
}

function cancelled(operationId: string): DeskterityError {
  return new DeskterityError(
    'CANCELLED',
    `Waiting for ${operationId} was cancelled; the operation continues.`,
    {
      suggestion: 'Wait again, or cancel the operation.',
    },
  );
}
