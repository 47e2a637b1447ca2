import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { DesktopsPort } from '../ports/desktops.ts';
import type { Environment } from '../model/sessions/caller.ts';
import { once, type Once } from './once.ts';

/** A desktop that sessions share. */
export interface PooledDesktop {
  readonly key: string;
  readonly port: DesktopPort;
}

/** The connections to desktops: one per desktop, shared by all sessions. */
export class DesktopPool {
  private readonly factory: DesktopsPort;
  private readonly open = new Map<string, Once<DesktopPort>>();
  /** Those of {@link open} that are ready. */
  private readonly live = new Map<string, DesktopPort>();

  constructor(factory: DesktopsPort) {
    this.factory = factory;
  }

  async get(environment: Environment): Promise<PooledDesktop> {
    const key = await this.factory.keyOf(environment);
    const known = this.open.get(key) ?? once(() => this.factory.open(environment));
    this.open.set(key, known);
    const port = await known.get();
    // It may have been forgotten while it was opening.
    if (this.open.get(key) === known) this.live.set(key, port);
    return { key, port };
  }

  /** Whether a call has already opened the desktop that an environment names. */
  async isOpen(environment: Environment): Promise<boolean> {
    return this.live.size > 0 && this.live.has(await this.factory.keyOf(environment));
  }

  /** See {@link DesktopsPort.displayIn}. */
  displayIn(environment: Environment): string | undefined {
    return this.factory.displayIn(environment);
  }

  /** See {@link DesktopsPort.endLeftovers}. */
  endLeftovers(): Promise<void> {
    return this.factory.endLeftovers();
  }

  /** Whether this process owns the content of a clipboard, which would be lost on exit. */
  get ownsClipboard(): boolean {
    return [...this.live.values()].some((port) => port.clipboard.isOwned);
  }

  /**
   * Whether a private desktop is still running. A broken connection is reopened once. A slow desktop counts as running, because one that is
   * considered dead is ended.
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

  /** Closes the connection to a desktop that is about to end. */
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

  /** @throws DeskterityError DISPLAY_UNAVAILABLE if this user has a running desktop that the environment does not name */
  async requireNoOther(environment: Environment): Promise<void> {
    const [display, ...others] = await this.factory.otherDisplays(environment);
    if (display === undefined) return;
    const all = [display, ...others].map(({ name }) => name).join(', ');
    const [message, name] =
      others.length === 0
        ? ['No display is set, but one of your desktops is running.', 'Set it']
        : [`No display is set, and several of your desktops are running: ${all}.`, 'Set one'];
    throw new DeskterityError('DISPLAY_UNAVAILABLE', message, {
      suggestion: `${name} ("${display.setting} desk …", or "env" in the settings of an MCP client), or start a private desktop: ${mentionCommand('session new', { private: true })}.`,
      platformDetail: `running: ${all}`,
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
    // It was never opened, or has already ended.
  }
}
