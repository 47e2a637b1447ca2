import type { TreeNode } from '../../model/tree/node.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { ScreenComparer } from '../screen/screen-changes.ts';
import type { TerminalView } from '../../ports/terminals.ts';

/** Minimum interval between two comparisons, for programs that write all the time. */
const PAUSE_MS = 20;
const READ_DEADLINE_MS = 5000;

type Listener = (event: DesktopEvent) => void;

/** Reports changes of a screen while there are listeners, by reading and comparing it after output. */
export class ScreenWatch {
  private readonly view: TerminalView;
  private readonly clock: ClockPort;
  private readonly read: (options: CallOptions) => Promise<TreeNode>;
  private readonly listeners = new Set<Listener>();
  private comparer: ScreenComparer | undefined;
  private unsubscribe: (() => void) | undefined;
  private isDirty = false;
  private isReading = false;

  constructor(view: TerminalView, clock: ClockPort, read: (options: CallOptions) => Promise<TreeNode>) {
    this.view = view;
    this.clock = clock;
    this.read = read;
  }

  async listen(listener: Listener, options: CallOptions): Promise<() => void> {
    this.unsubscribe ??= this.view.watch(() => {
      this.isDirty = true;
      void this.compare();
    });
    this.listeners.add(listener);
    try {
      this.comparer ??= new ScreenComparer(await this.read(options));
      // Output may have come before the first read.
      void this.compare();
    } catch (error) {
      this.drop(listener);
      throw error;
    }
    return () => this.drop(listener);
  }

  close(): void {
    this.emit([this.lost()]);
    this.listeners.forEach((listener) => this.drop(listener));
  }

  private drop(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.unsubscribe?.();
    this.unsubscribe = undefined;
    this.comparer = undefined;
    this.isDirty = false;
  }

  private async compare(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.isDirty && this.comparer !== undefined) {
        this.isDirty = false;
        const now = await this.read({ deadlineMs: READ_DEADLINE_MS });
        this.emit(this.comparer?.next(now, this.clock.now()) ?? []);
        await this.clock.sleep(PAUSE_MS);
      }
    } catch {
      // Retried with the next output.
      if (!this.view.isAlive()) this.emit([this.lost()]);
    } finally {
      this.isReading = false;
    }
  }

  private emit(events: readonly DesktopEvent[]): void {
    for (const event of events) this.listeners.forEach((listener) => listener(event));
  }

  private lost(): DesktopEvent {
    return { kind: 'desktop-lost', node: { app: '', path: '' }, detail: '', atMs: this.clock.now() };
  }
}
