import { DeskterityError } from '../model/effects/errors.ts';
import type { Environment } from '../model/sessions/caller.ts';
import type { DesktopsPort, OwnDesktop, ScreenSize } from '../ports/desktops.ts';
import type { DesktopPool } from './desktop-pool.ts';

const START_DEADLINE_MS = 20_000;
const PROBE_DEADLINE_MS = 5000;

/** The one private desktop that all sessions share whose callers have no display. It ends with the last of them. */
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
   * Takes part in it until {@link release}, also when this fails; it is started for the first.
   * @throws DeskterityError DISPLAY_UNAVAILABLE while another desktop of the user is alive, and the failures of starting one
   */
  async acquire(user: User, caller: Environment, screen: ScreenSize): Promise<OwnDesktop> {
    // Before anything is awaited, so that the desktop cannot be ended under a user that is about to get it.
    this.users.add(user);
    if (this.running === undefined) await this.pool.requireNoOther(caller);
    const known = this.running;
    const desktop = await this.start(user, caller, screen);
    if (known === undefined || (await this.pool.isAlive(desktop.environment, PROBE_DEADLINE_MS)))
      return desktop;
    // It broke down. References to the old one are stale by its id, and every answer names the new one.
    if (this.running === known) this.stopRunning();
    return this.start(user, caller, screen);
  }

  /** Resolves when the desktop has ended, where this was its last user. */
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
    // Whoever was released while it waited would start a desktop that nobody ends.
    if (this.isClosed || !this.users.has(user)) {
      return Promise.reject(
        new DeskterityError('CANCELLED', 'The session or Deskterity has ended meanwhile.', {
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
