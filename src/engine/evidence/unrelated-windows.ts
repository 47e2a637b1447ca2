import type { ActOutcome, CallOptions, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import type { ElementContext } from './element-context.ts';
import { diffWindows, type WindowChange } from './window-diff.ts';

export const OPENED_BEFORE = 'a window opened before the application processed the input';

type Surroundings = Pick<ElementContext, 'windows' | 'pid'>;

/** The windows of the target's application that opened or closed; those of other applications are unrelated. */
export function windowChangesBetween(before: Surroundings, after: Surroundings): WindowChange[] {
  const pid = before.pid ?? after.pid;
  return diffWindows(before.windows, after.windows).filter(
    ({ window }) => pid !== undefined && window.pid === pid,
  );
}

/**
 * The windows that the application opened before it processed our press, or before the button was released, such as a dialog that appeared by
 * itself during a click. None if the application reports no times.
 */
export async function unrelatedWindows(
  desktop: DesktopPort,
  { before, after, outcome }: { before: Surroundings; after: Surroundings; outcome: ActOutcome },
  options: CallOptions,
): Promise<ReadonlySet<DesktopWindow>> {
  const { pressedAtMs, openBefore } = outcome;
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
