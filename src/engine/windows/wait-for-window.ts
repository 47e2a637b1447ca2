import { DeskterityError } from '../../model/effects/errors.ts';
import type { WindowSummary } from '../../model/refs/target.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { ended, isOf } from '../refs/connections.ts';
import type { WaitForWindowRequest } from '../requests/desktop.ts';
import { waitFor } from '../wait.ts';

/** How long after its tree a window may take to reach the display; until then its id is provisional, and it has no place. */
const SHOWN_WITHIN_MS = 1000;

export async function waitForWindow(
  parts: EngineParts,
  request: WaitForWindowRequest,
): Promise<WindowSummary> {
  const wanted = request.title.toLowerCase();
  const isTheirs = await ownership(parts, request);
  const what = `No window with ${quoteClipped(request.title)} in its title appeared`;
  const window = await awaitWindow(
    parts,
    { ...request, what },
    {
      choose: (windows) =>
        windows.find((candidate) => isTheirs(candidate) && candidate.title.toLowerCase().includes(wanted)),
    },
  );
  return parts.session.edit((table) => toWindowSummary(window, table));
}

/**
 * Whether a window is of an application that may start only later, by name or pid, or of the process of an alias.
 * @throws DeskterityError STALE_REF if that process has ended, also later
 */
async function ownership(
  { desktop, connections, scope }: EngineParts,
  { app, deadlineMs, signal }: WaitForWindowRequest,
): Promise<(window: DesktopWindow) => boolean> {
  if (app === undefined) return () => true;
  const connection = await connections.find(app);
  if (connection === undefined) {
    const named = app.toLowerCase();
    return ({ appName, pid }) => appName.toLowerCase().includes(named) || String(pid) === named;
  }
  await scope.app(app, { deadlineMs, signal }).catch((error: unknown) => {
    if (!(error instanceof DeskterityError) || error.code === 'STALE_REF') throw error;
  });
  return (window) => {
    if (!desktop.isProcessAlive(connection.pid)) throw ended(connection);
    return isOf(connection, window);
  };
}

/** Which window is awaited. */
interface Wanted {
  readonly choose: (windows: readonly DesktopWindow[]) => DesktopWindow | undefined;
  /** Used if time runs out and `choose` found nothing better. */
  readonly fallback?: (windows: readonly DesktopWindow[]) => DesktopWindow | undefined;
  /** Why no window will appear; then waiting ends, unless there is a fallback. */
  readonly impossible?: () => string | undefined;
}

/** The first window that `choose` finds on the display. One that only accessibility knows is taken if the display does not show it soon. */
export async function awaitWindow(
  parts: EngineParts,
  request: CallOptions & { readonly what: string },
  { choose, fallback, impossible }: Wanted,
): Promise<DesktopWindow> {
  let titles = '';
  let second: DesktopWindow | undefined;
  let provisionalSince: number | undefined;
  try {
    return await waitFor(parts, { ...request, lastSeen: () => titles }, async (deadlineMs) => {
      const windows = await parts.desktop.listWindows({ ...request, deadlineMs });
      titles = windows.map((window) => quoteClipped(window.title, 60)).join(', ');
      second = fallback?.(windows) ?? second;
      const chosen = choose(windows);
      if (chosen?.isTreeOnly === true) {
        provisionalSince ??= parts.clock.now();
        second ??= chosen;
        return parts.clock.now() - provisionalSince < SHOWN_WITHIN_MS ? undefined : chosen;
      }
      const why = chosen ? undefined : impossible?.();
      if (why !== undefined && !second)
        throw new DeskterityError('ACTION_FAILED', `${why}.`, {
          suggestion: 'Start it in a terminal to see its output.',
          delivered: true,
        });
      return chosen;
    });
  } catch (error) {
    if (second && error instanceof DeskterityError && error.code === 'TIMEOUT') return second;
    throw error;
  }
}
