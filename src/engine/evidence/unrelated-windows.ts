import type { ActOutcome, CallOptions, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import type { ElementContext } from './element-context.ts';
import { diffWindows } from './window-diff.ts';
import type { WindowChange } from './window-diff.ts';

export const OPENED_BEFORE = 'a window opened before the application took in the input';

type Look = Pick<ElementContext, 'windows' | 'pid'>;

/** The windows of the target's own application that came or went; those of others do so without us. */
export function windowChangesBetween(before: Look, after: Look): WindowChange[] {
  const pid = before.pid ?? after.pid;
  return diffWindows(before.windows, after.windows).filter(
    ({ window }) => pid !== undefined && window.pid === pid,
  );
}

/**
 * Of the windows that opened, those which the application opened before it took in what we pressed: a dialog that came by itself in the moment
 * of a click; or before the button was let go. Where applications do not say, none is.
 */
export async function unrelatedWindows(
  desktop: DesktopPort,
  {
    before,
    after,
    outcome: { pressedAtMs, openBefore },
  }: { before: Look; after: Look; outcome: Pick<ActOutcome, 'pressedAtMs' | 'openBefore'> },
  options: CallOptions,
): Promise<ReadonlySet<DesktopWindow>> {
  if (pressedAtMs === undefined) return new Set();
  const opened = windowChangesBetween(before, after).filter(({ change }) => change.kind === 'window_opened');
  const asked = await Promise.all(
    opened.map(async ({ window }) => {
      if (openBefore?.has(window.id) === true) return window;
      const userTimeMs = await desktop.userTimeMs(window.id, options).catch(() => undefined);
      return userTimeMs !== undefined && userTimeMs < pressedAtMs ? window : undefined;
    }),
  );
  return new Set(asked.filter((window) => window !== undefined));
}
