import type { CallOptions, DesktopEvent, DesktopPort } from '../ports/desktop.ts';
import { chooseApp } from './scope.ts';

export interface WatchRequest extends CallOptions {
  /** Name or pid of the application whose events are wanted; all of them where absent. */
  readonly app?: string | undefined;
}

/**
 * Calls `listener` for what an application says of itself, or for what all of them say. Resolves when that is live; the deadline ends with it.
 * @throws DeskterityError APP_NOT_FOUND, AMBIGUOUS_APP, and what the desktop fails with; then nothing is left of it
 */
export async function watchDesktop(
  desktop: DesktopPort,
  request: WatchRequest,
  listener: (event: DesktopEvent) => void,
): Promise<() => void> {
  if (request.app === undefined) return desktop.watch(listener, request);
  const apps = await desktop.listApps(request);
  const { pid } = chooseApp(apps, request.app);
  // One process may stand in the registry more than once, and one without a tree does not stand there at all.
  const ids = apps.filter((app) => app.pid === pid && app.id !== '').map((app) => app.id);
  const stops: (() => void)[] = [];
  const outcomes = await Promise.allSettled(
    ids.map(async (appId) => {
      stops.push(await desktop.watch(listener, { ...request, appId }));
    }),
  );
  const stop = (): void => {
    for (const end of stops.splice(0)) end();
  };
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return stop;
  stop();
  throw failure.reason;
}
