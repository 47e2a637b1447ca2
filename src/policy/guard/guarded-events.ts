import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopNotification } from '../../ports/notifications.ts';
import type { ApplicationGuard } from './application-guard.ts';
import { keepPolicy } from '../current-policy.ts';

/** How long a verdict about events counts: a process may run another program by then, and the policy may be another. */
const VERDICT_MS = 1000;
const ASK_MS = 2000;
/** Events of one application that wait for a verdict; more are dropped. */
const MOST_WAITING = 2000;
const MOST_APPS = 1000;

/** Windows open and close in sight of all; what happens in those of denied applications does not. */
const OF_ALL: ReadonlySet<DesktopEvent['kind']> = new Set([
  'window-opened',
  'window-closed',
  'clipboard-changed',
  'journal-noted',
  'desktop-lost',
]);

/** Events, in the order of each application, without those of denied ones. */
export function guardedWatch(desktop: DesktopPort, guard: ApplicationGuard): DesktopPort['watch'] {
  return async (listener, options) => {
    if (options.appId !== undefined) await guard.requireApp(options.appId, options, 'read');
    const withPolicy = keepPolicy();
    const events = new EventGate(guard, withPolicy, (event) => withPolicy(() => listener(event)));
    const stop = await desktop.watch((event) => events.pass(event), options);
    return () => {
      events.close();
      stop();
    };
  };
}

export function guardedNotifications(
  desktop: DesktopPort,
  guard: ApplicationGuard,
): DesktopPort['watchNotifications'] {
  return (listener, options) => {
    const withPolicy = keepPolicy();
    let turn = Promise.resolve();
    const tellAfter = async (before: Promise<void>, notification: DesktopNotification): Promise<void> => {
      const { app, pid } = notification;
      // Nothing is told of an application that cannot be judged.
      const asked = guard.isDenied({ name: app, pid, clientPid: pid }).catch(() => true);
      await before;
      if (!(await asked)) listener.notified(notification);
    };
    return desktop.watchNotifications(
      {
        notified: (notification) =>
          withPolicy(() => {
            turn = tellAfter(turn, notification);
          }),
        lost: () => listener.lost(),
      },
      options,
    );
  };
}

interface Judged {
  readonly atMs: number;
  readonly isDenied: boolean;
}

class EventGate {
  private readonly guard: ApplicationGuard;
  private readonly withPolicy: (run: () => void) => void;
  private readonly tell: (event: DesktopEvent) => void;
  private readonly judged = new Map<string, Judged>();
  private readonly waiting = new Map<string, DesktopEvent[]>();
  private isClosed = false;

  constructor(
    guard: ApplicationGuard,
    withPolicy: (run: () => void) => void,
    tell: (event: DesktopEvent) => void,
  ) {
    this.guard = guard;
    this.withPolicy = withPolicy;
    this.tell = tell;
  }

  pass(event: DesktopEvent): void {
    const { app } = event.node;
    if (app === '' || OF_ALL.has(event.kind)) return this.tell(event);
    const waiting = this.waiting.get(app);
    if (waiting !== undefined) {
      if (waiting.length < MOST_WAITING) waiting.push(event);
      return;
    }
    const known = this.judged.get(app);
    if (known !== undefined && performance.now() - known.atMs < VERDICT_MS) {
      if (!known.isDenied) this.tell(event);
      return;
    }
    this.waiting.set(app, [event]);
    this.withPolicy(() => void this.judge(app));
  }

  close(): void {
    this.isClosed = true;
    this.waiting.clear();
  }

  private async judge(app: string): Promise<void> {
    // Nothing is told of an application that cannot be judged.
    const isDenied = await this.guard.isDeniedApp(app, { deadlineMs: ASK_MS }).catch(() => true);
    const events = this.waiting.get(app) ?? [];
    this.waiting.delete(app);
    if (this.isClosed) return;
    this.judged.set(app, { atMs: performance.now(), isDenied });
    const [oldest] = this.judged.keys();
    if (this.judged.size > MOST_APPS && oldest !== undefined) this.judged.delete(oldest);
    if (!isDenied) for (const event of events) this.tell(event);
  }
}
