import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { nearestNames } from '../../model/text/nearest.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { Connection, StoredConnection } from '../../model/sessions/connection.ts';
import type { DesktopApp } from '../../ports/desktop/windows.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { isOf } from '../refs/connections.ts';
import { chooseApp } from '../refs/scope.ts';
import type { Connected, ConnectRequest, DisconnectRequest } from '../requests/desktop.ts';

/**
 * Gives the process of an application a name of this session.
 * @throws DeskterityError APP_NOT_FOUND, AMBIGUOUS_APP, POLICY_DENIED, CONFLICT if the name belongs to another running process, or is that of another running application
 */
export async function connectApp(parts: EngineParts, request: ConnectRequest): Promise<Connected> {
  const { desktop, connections, session } = parts;
  const [apps, windows] = await Promise.all([desktop.listApps(request), desktop.listWindows(request)]);
  // Not by its own alias: a second connection of one name is for the process that is running now.
  const known = await connections.find(request.app);
  const process = known && apps.find((app) => isOf(known, app));
  const { pid } = process ?? chooseApp(apps, known?.app ?? request.app);
  const app = apps.find((one) => one.pid === pid);
  if (app === undefined) throw new Error('an application was chosen that is not listed');
  requireOwnName(apps, app, request.alias);
  await desktop.requireAllowed(pid, request);
  const isRunning = (connection: StoredConnection): boolean => apps.some((one) => isOf(connection, one));
  const added = await connections.add({ app, alias: request.alias }, isRunning);
  const own = windows.filter((window) => window.pid === pid);
  return session.edit((table) => ({
    ...toConnection(added),
    windows: own.map((window) => toWindowSummary(window, table)),
  }));
}

/** An alias is looked up before names. If another application had this name, calls that name it would reach this one instead. */
function requireOwnName(apps: readonly DesktopApp[], app: DesktopApp, alias: string | undefined): void {
  const isCalled = ({ name }: DesktopApp): boolean => name.toLowerCase() === alias?.toLowerCase();
  const other = isCalled(app) ? undefined : apps.find((one) => one.pid !== app.pid && isCalled(one));
  if (alias === undefined || other === undefined) return;
  throw new DeskterityError(
    'CONFLICT',
    `${quoteClipped(alias)} is the name of another application that is running (pid ${other.pid}), which could not be reached by its name any more.`,
    { suggestion: 'Choose another alias.' },
  );
}

/** Forgets one name, or all. @throws DeskterityError APP_NOT_FOUND if there is no such name */
export async function disconnectApps(
  { connections }: EngineParts,
  { alias }: DisconnectRequest,
): Promise<readonly Connection[]> {
  const known = await connections.list();
  const removed = await connections.remove(alias);
  if (alias === undefined || removed.length > 0) return removed.map(toConnection);
  const names = known.map((connection) => connection.alias);
  const [close] = nearestNames(alias, names, 1);
  throw new DeskterityError(
    'APP_NOT_FOUND',
    `This session has no connection called ${quoteClipped(alias)}.`,
    {
      suggestion:
        names.length === 0
          ? 'It has none at all.'
          : close === undefined
            ? `Its connections are ${names.join(', ')}: ${mentionCommand('session info')}.`
            : `Did you mean ${close}?`,
    },
  );
}

function toConnection({ alias, app, pid }: StoredConnection): Connection {
  return { alias, app, pid };
}
