import { isOver } from '../model/tools/operation-status.ts';
import type { OperationView } from '../ports/operations.ts';
import type { HolderLinks } from './holder/holder-links.ts';
import type { OperationRecords } from './operation-records.ts';
import { waitForEnd } from './wait-for-end.ts';

const HOUR_MS = 3_600_000;
/** Ends that are remembered, so that none is reported twice. */
const MOST_REPORTED = 10_000;

/** Reports the ends of operations: those running when the watch began, those started since, and those reported by connected holders. */
export class EndWatch {
  private readonly records: OperationRecords;
  private readonly links: HolderLinks;
  private readonly listeners = new Set<(view: OperationView) => void>();
  private readonly tracked = new Map<string, AbortController>();
  private readonly reported = new Set<string>();
  private stopListening: (() => void) | undefined;

  constructor(records: OperationRecords, links: HolderLinks) {
    this.records = records;
    this.links = links;
  }

  add(listener: (view: OperationView) => void): () => void {
    if (this.listeners.size === 0) this.begin();
    // The same function may be added twice.
    const own = (view: OperationView) => listener(view);
    this.listeners.add(own);
    return () => {
      if (this.listeners.delete(own) && this.listeners.size === 0) this.end();
    };
  }

  /** Watches an operation that was just started. */
  track(operationId: string): void {
    if (this.listeners.size === 0 || this.tracked.has(operationId) || this.reported.has(operationId)) return;
    const controller = new AbortController();
    this.tracked.set(operationId, controller);
    void this.untilOver(operationId, controller.signal).finally(() => {
      if (this.tracked.get(operationId) === controller) this.tracked.delete(operationId);
    });
  }

  private begin(): void {
    this.stopListening = this.links.onChange(({ operation }) => this.track(operation));
    void this.trackRunning(Date.now());
  }

  private async trackRunning(begunAt: number): Promise<void> {
    for (const view of await this.records.all()) {
      if (!isOver(view.status)) this.track(view.operation_id);
      // It was running when the watch began, and ended before its record was read.
      else if (view.ended_at !== undefined && Date.parse(view.ended_at) > begunAt) this.report(view);
    }
  }

  private end(): void {
    this.stopListening?.();
    for (const controller of this.tracked.values()) controller.abort();
    // A new watch tracks them again.
    this.tracked.clear();
  }

  private async untilOver(operationId: string, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const view = await waitForEnd(this.records, this.links, operationId, { timeoutMs: HOUR_MS, signal });
        if (isOver(view.status)) return this.report(view);
      }
    } catch {
      // Its record was removed, or there are no listeners any more.
    }
  }

  private report(view: OperationView): void {
    if (this.listeners.size === 0 || this.reported.has(view.operation_id)) return;
    this.reported.add(view.operation_id);
    const [oldest] = this.reported;
    if (this.reported.size > MOST_REPORTED && oldest !== undefined) this.reported.delete(oldest);
    for (const listener of this.listeners) listener(view);
  }
}
