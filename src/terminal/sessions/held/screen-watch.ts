import type { TreeNode } from '../../../model/tree/node.ts';
import type { ClockPort } from '../../../ports/clock.ts';
import type { CallOptions, DesktopEvent } from '../../../ports/desktop.ts';
import { ScreenComparer } from '../../screen/screen-changes.ts';
import type { TerminalView } from '../../../ports/terminals.ts';

/** A program may write all the time; nobody has to hear of it more often. */
const PAUSE_MS = 20;
const READ_DEADLINE_MS = 5000;

type Listener = (event: DesktopEvent) => void;

/** Tells what changes on a screen while somebody listens: it is read whenever something was written, and compared. */
export class ScreenWatch {
  private readonly view: TerminalView;
  private readonly clock: ClockPort;
  private readonly read: (options: CallOptions) => Promise<TreeNode>;
  private readonly listeners = new Set<Listener>();
  private comparer: ScreenComparer | undefined;
  private stopHearing: (() => void) | undefined;
  private isDirty = false;
  private isReading = false;

  constructor(view: TerminalView, clock: ClockPort, read: (options: CallOptions) => Promise<TreeNode>) {
    this.view = view;
    this.clock = clock;
    this.read = read;
  }

  async listen(listener: Listener, options: CallOptions): Promise<() => void> {
    this.stopHearing ??= this.view.watch(() => {
      this.isDirty = true;
      void this.compare();
    });
    this.listeners.add(listener);
    try {
      this.comparer ??= new ScreenComparer(await this.read(options));
      // It may have been written to before there was anything to compare with.
      void this.compare();
    } catch (error) {
      this.drop(listener);
      throw error;
    }
    return () => this.drop(listener);
  }

  close(): void {
    this.tell([this.lost()]);
    this.listeners.forEach((listener) => this.drop(listener));
  }

  private drop(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.stopHearing?.();
    this.stopHearing = undefined;
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
        this.tell(this.comparer?.next(now, this.clock.now()) ?? []);
        await this.clock.sleep(PAUSE_MS);
      }
    } catch {
      // What does not answer now may do so when it writes again.
      if (!this.view.isAlive()) this.tell([this.lost()]);
    } finally {
      this.isReading = false;
    }
  }

  private tell(events: readonly DesktopEvent[]): void {
    for (const event of events) this.listeners.forEach((listener) => listener(event));
  }

  private lost(): DesktopEvent {
    return { kind: 'desktop-lost', node: { app: '', path: '' }, detail: '', atMs: this.clock.now() };
  }
}
