import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { DesktopsPort } from '../ports/desktops.ts';
import type { Environment } from '../model/sessions/caller.ts';
import { once } from './once.ts';
import type { Once } from './once.ts';

/** A desktop as sessions share it. */
export interface PooledDesktop {
  readonly key: string;
  readonly port: DesktopPort;
}

/** The connections to desktops: one for each, however many sessions use it. */
export class DesktopPool {
  private readonly factory: DesktopsPort;
  private readonly open = new Map<string, Once<DesktopPort>>();
  /** Those of {@link open} that have been opened. */
  private readonly live = new Map<string, DesktopPort>();

  constructor(factory: DesktopsPort) {
    this.factory = factory;
  }

  async get(environment: Environment): Promise<PooledDesktop> {
    const key = await this.factory.keyOf(environment);
    const known = this.open.get(key) ?? once(() => this.factory.open(environment));
    this.open.set(key, known);
    const port = await known.get();
    // It may have been forgotten while it was being opened.
    if (this.open.get(key) === known) this.live.set(key, port);
    return { key, port };
  }

  /** See {@link DesktopsPort.displayIn}. */
  displayIn(environment: Environment): string | undefined {
    return this.factory.displayIn(environment);
  }

  /** Whether something on a clipboard would be gone with this process. */
  get ownsClipboard(): boolean {
    return [...this.live.values()].some((port) => port.clipboard.isOwned);
  }

  /**
   * Whether a private desktop is still there. A connection that broke is made anew once; one that is merely slow counts as alive, because
   * a desktop that is taken for dead is ended.
   */
  async isAlive(environment: Environment, deadlineMs: number): Promise<boolean> {
    for (const isLastTry of [false, true]) {
      try {
        const { port } = await this.get(environment);
        await port.status({ deadlineMs });
        return true;
      } catch (error) {
        if (!isGone(error)) return true;
        await this.forget(environment);
        if (isLastTry) return false;
      }
    }
    return false;
  }

  /** Ends the connection to a desktop that is about to end itself. */
  async forget(environment: Environment): Promise<void> {
    const key = await this.factory.keyOf(environment);
    const known = this.open.get(key);
    this.open.delete(key);
    this.live.delete(key);
    await closeQuietly(known);
  }

  async close(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    this.live.clear();
    await Promise.all(all.map((known) => closeQuietly(known)));
  }

  /** @throws DeskterityError DISPLAY_UNAVAILABLE while a desktop of this user is alive that the environment does not name */
  async requireNoOther(environment: Environment): Promise<void> {
    const [display, ...others] = await this.factory.otherDisplays(environment);
    if (display === undefined) return;
    const all = [display, ...others].map(({ name }) => name).join(', ');
    const [message, name] =
      others.length === 0
        ? ['No display is named, but a desktop of yours is alive.', 'Name it']
        : [`No display is named, and more than one of yours is alive: ${all}.`, 'Name one'];
    throw new DeskterityError('DISPLAY_UNAVAILABLE', message, {
      suggestion: `${name} ("${display.setting} desk …"; an MCP client has it in the "env" of its settings), or start one that nobody sees: ${mentionCommand('session new', { private: true })}.`,
      platformDetail: `alive: ${all}`,
    });
  }
}

function isGone(error: unknown): boolean {
  return (
    error instanceof DeskterityError &&
    (error.code === 'DISPLAY_UNAVAILABLE' || error.code === 'BUS_UNAVAILABLE') &&
    !error.retryable
  );
}

async function closeQuietly(known: Once<DesktopPort> | undefined): Promise<void> {
  try {
    await (await known?.current())?.close();
  } catch {
    // It was never opened, or is gone already.
  }
}
