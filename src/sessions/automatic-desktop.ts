import { DeskterityError } from '../model/effects/errors.ts';
import type { Environment } from '../model/sessions/caller.ts';
import type { DesktopsPort, OwnDesktop, ScreenSize } from '../ports/desktops.ts';
import type { DesktopPool } from './desktop-pool.ts';

const START_DEADLINE_MS = 20_000;
const PROBE_DEADLINE_MS = 5000;

/** The private desktop shared by all sessions whose callers have no display. It ends with the last of them. */
export class AutomaticDesktop<User extends object> {
  private readonly pool: DesktopPool;
  private readonly factory: DesktopsPort;
  private readonly users = new Set<User>();
  private running: Promise<OwnDesktop> | undefined;
  /** Desktops that are being stopped. */
  private readonly ending = new Set<Promise<void>>();
  private isClosed = false;

  constructor(pool: DesktopPool, factory: DesktopsPort) {
    this.pool = pool;
    this.factory = factory;
  }

  /**
   * Uses the desktop until {@link release}, which must be called even if this fails. The first user starts it.
   * @throws DeskterityError DISPLAY_UNAVAILABLE if another desktop of the user is running; errors of starting one
   */
  async acquire(user: User, caller: Environment, screen: ScreenSize): Promise<OwnDesktop> {
    // Before awaiting anything, so that the desktop does not end before this user gets it.
    this.users.add(user);
    if (this.running === undefined) await this.pool.requireNoOther(caller);
    const known = this.running;
    const desktop = await this.start(user, caller, screen);
    if (known === undefined || (await this.pool.isAlive(desktop.environment, PROBE_DEADLINE_MS)))
      return desktop;
    // It crashed. References to the old one are stale, as its id differs, and every answer names the new one.
    if (this.running === known) this.stopRunning();
    return this.start(user, caller, screen);
  }

  /** If this was the last user, resolves when the desktop has ended. */
  async release(user: User): Promise<void> {
    if (!this.users.delete(user) || this.users.size > 0) return;
    this.stopRunning();
    await Promise.all(this.ending);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.users.clear();
    this.stopRunning();
    await Promise.all(this.ending);
  }

  private start(user: User, inherit: Environment, screen: ScreenSize): Promise<OwnDesktop> {
    // A user that was released while waiting would start a desktop that never ends.
    if (this.isClosed || !this.users.has(user)) {
      return Promise.reject(
        new DeskterityError('CANCELLED', 'The session or Deskterity ended in the meantime.', {
          suggestion: 'Repeat the command.',
          retryable: true,
        }),
      );
    }
    if (this.running !== undefined) return this.running;
    const { width, height } = screen;
    const started = this.factory.startPrivate({ width, height, inherit, deadlineMs: START_DEADLINE_MS });
    this.running = started;
    started.catch(() => {
      if (this.running === started) this.running = undefined;
    });
    return started;
  }

  private stopRunning(): void {
    const { running } = this;
    this.running = undefined;
    if (running === undefined) return;
    const ended = this.end(running).finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }

  private async end(running: Promise<OwnDesktop>): Promise<void> {
    const desktop = await running.catch(() => undefined);
    if (desktop === undefined) return;
    await this.pool.forget(desktop.environment);
    await desktop.stop().catch(() => undefined);
  }
}
