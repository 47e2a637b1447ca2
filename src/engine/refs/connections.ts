import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import {
  connectionDocument,
  CONNECTIONS_DOCUMENT,
  isAlias,
  readConnections,
  usualAlias,
  type StoredConnection,
} from '../../model/sessions/connection.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { DesktopApp, DesktopWindow } from '../../ports/desktop/windows.ts';
import type { SessionStore } from '../../ports/session-store.ts';

/** The names that a session has given to processes of applications on one desktop. */
export class Connections {
  private readonly store: SessionStore;
  private readonly desktopId: string;

  constructor(store: SessionStore, desktopId: string) {
    this.store = store;
    this.desktopId = desktopId;
  }

  async list(): Promise<readonly StoredConnection[]> {
    return readConnections(await this.store.load(CONNECTIONS_DOCUMENT), this.desktopId);
  }

  /** What an alias names; `undefined` if the text is none. */
  async find(text: string): Promise<StoredConnection | undefined> {
    return (await this.list()).find(({ alias }) => isAlias(alias, text));
  }

  /**
   * Gives a process a name, which replaces one whose process has ended.
   * @throws DeskterityError CONFLICT if the name belongs to another process that `isRunning`
   */
  async add(
    { app, alias = usualAlias(app.name) }: { readonly app: DesktopApp; readonly alias?: string | undefined },
    isRunning: (connection: StoredConnection) => boolean,
  ): Promise<StoredConnection> {
    const added: StoredConnection = {
      alias,
      app: clip(app.name, LONGEST_TITLE),
      pid: app.pid,
      ...(app.process === undefined ? {} : { process: app.process }),
    };
    await this.store.update(CONNECTIONS_DOCUMENT, (data) => {
      const known = readConnections(data, this.desktopId);
      const same = known.find((connection) => isAlias(connection.alias, alias));
      if (same !== undefined && !isOf(same, app) && isRunning(same)) throw taken(same);
      return connectionDocument(this.desktopId, [...known.filter((one) => one !== same), added]);
    });
    return added;
  }

  /** Forgets one name, or all; returns what was forgotten. */
  async remove(wanted: string | undefined): Promise<readonly StoredConnection[]> {
    let removed: readonly StoredConnection[] = [];
    await this.store.update(CONNECTIONS_DOCUMENT, (data) => {
      const known = readConnections(data, this.desktopId);
      removed = known.filter(({ alias }) => wanted === undefined || isAlias(alias, wanted));
      return connectionDocument(
        this.desktopId,
        known.filter((connection) => !removed.includes(connection)),
      );
    });
    return removed;
  }
}

/** Whether an application or a window is of the process that a connection names. */
export function isOf(
  { pid, process }: StoredConnection,
  it: Pick<DesktopApp | DesktopWindow, 'pid' | 'process'>,
): boolean {
  return it.pid === pid && (process === undefined || it.process === undefined || process === it.process);
}

/**
 * The process that an alias names.
 * @throws DeskterityError STALE_REF if it has ended, whatever runs under its name now; APP_NOT_FOUND if it runs but shows nothing
 */
export function connectedProcess(
  connection: StoredConnection,
  apps: readonly DesktopApp[],
  isAlive: (pid: number) => boolean,
): { readonly pid: number; readonly name: string } {
  const listed = apps.find((app) => isOf(connection, app));
  if (listed !== undefined) return { pid: listed.pid, name: listed.name };
  const { alias, app, pid } = connection;
  const isReused = apps.some((other) => other.pid === pid);
  if (isAlive(pid) && !isReused)
    throw new DeskterityError(
      'APP_NOT_FOUND',
      `${quoteClipped(alias)} names ${quoteClipped(app)} (pid ${pid}), which runs but has no window now.`,
      {
        suggestion: `Wait until it opens one: ${mentionCommand('wait', { window: 'TITLE', app: alias })}.`,
        retryable: true,
      },
    );
  throw ended(connection, apps);
}

/** The process of a connection has ended; one of `apps` may be what its application runs as now. */
export function ended(
  { alias, app, pid }: StoredConnection,
  apps: readonly DesktopApp[] = [],
): DeskterityError {
  const later = apps.filter(({ name }) => name.toLowerCase() === app.toLowerCase());
  const [one] = later;
  return new DeskterityError(
    'STALE_REF',
    `${quoteClipped(alias)} names ${quoteClipped(app)} (pid ${pid}), which has ended.`,
    {
      suggestion:
        one === undefined
          ? `Start it with ${mentionCommand('launch')} and connect anew: ${mentionCommand('connect', { app, alias })}.`
          : `Another ${quoteClipped(one.name)} is running. If you mean that, connect anew: ${mentionCommand('connect', { app: String(one.pid), alias })}.`,
      candidates: later.slice(0, 10).map(({ name, pid: other }) => ({
        name: clip(name, LONGEST_TITLE),
        pid: other,
      })),
    },
  );
}

function taken({ alias, app, pid }: StoredConnection): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    `${quoteClipped(alias)} already names ${quoteClipped(app)} (pid ${pid}), which is running.`,
    {
      suggestion: `Choose another alias, or run ${mentionCommand('disconnect', { alias })} first.`,
    },
  );
}
