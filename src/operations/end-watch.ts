import { isOver } from '../model/tools/operation-status.ts';
import type { OperationView } from '../ports/operations.ts';
import type { HolderLinks } from './holder/holder-links.ts';
import type { OperationRecords } from './operation-records.ts';
import { waitForEnd } from './wait-for-end.ts';

const HOUR_MS = 3_600_000;
/** Ends that are remembered, so that none is told twice. */
const MOST_TOLD = 10_000;

/** Tells of operations that come to their end: those that ran when the watch began, those started since, and whatever connected holders tell. */
export class EndWatch {
  private readonly records: OperationRecords;
  private readonly links: HolderLinks;
  private readonly listeners = new Set<(view: OperationView) => void>();
  private readonly tracked = new Map<string, AbortController>();
  private readonly told = new Set<string>();
  private stopHearing: (() => void) | undefined;

  constructor(records: OperationRecords, links: HolderLinks) {
    this.records = records;
    this.links = links;
  }

  add(listener: (view: OperationView) => void): () => void {
    if (this.listeners.size === 0) this.begin();
    // The same function may be given twice.
    const own = (view: OperationView) => listener(view);
    this.listeners.add(own);
    return () => {
      if (this.listeners.delete(own) && this.listeners.size === 0) this.end();
    };
  }

  /** Minds an operation that has just been started. */
  track(operationId: string): void {
    if (this.listeners.size === 0 || this.tracked.has(operationId) || this.told.has(operationId)) return;
    const controller = new AbortController();
    this.tracked.set(operationId, controller);
    void this.untilOver(operationId, controller.signal).finally(() => {
      if (this.tracked.get(operationId) === controller) this.tracked.delete(operationId);
    });
  }

  private begin(): void {
    this.stopHearing = this.links.onChange(({ operation }) => this.track(operation));
    void this.trackRunning(Date.now());
  }

  private async trackRunning(begunAt: number): Promise<void> {
    for (const view of await this.records.all()) {
      if (!isOver(view.status)) this.track(view.operation_id);
      // It ran when the watch began, and has ended before it was looked at.
      else if (view.ended_at !== undefined && Date.parse(view.ended_at) > begunAt) this.tell(view);
    }
  }

  private end(): void {
    this.stopHearing?.();
    for (const controller of this.tracked.values()) controller.abort();
    // Whoever begins to watch right now tracks them anew.
    this.tracked.clear();
  }

  private async untilOver(operationId: string, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const view = await waitForEnd(this.records, this.links, operationId, { timeoutMs: HOUR_MS, signal });
        if (isOver(view.status)) return this.tell(view);
      }
    } catch {
      // Its record was removed, or nobody listens any more.
    }
  }

  private tell(view: OperationView): void {
    if (this.listeners.size === 0 || this.told.has(view.operation_id)) return;
    this.told.add(view.operation_id);
    const [oldest] = this.told;
    if (this.told.size > MOST_TOLD && oldest !== undefined) this.told.delete(oldest);
    for (const listener of this.listeners) listener(view);
  }
}
