import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { ActOutcome } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ElementContext } from './element-context.ts';
import { withoutNumbers } from './attribution.ts';
import { membership } from '../refs/window-identity.ts';
import { diffWindows, windowChange, type ObservedChange, type WindowChange } from './window-diff.ts';

export const OPENED_BEFORE = 'a window opened before the application processed the input';

type Surroundings = Pick<ElementContext, 'windows' | 'pid'> & {
  /** Windows of programs that the application started since the act. */
  readonly started?: ReadonlySet<DesktopWindow>;
};
type OwnSurroundings = Surroundings & Pick<ElementContext, 'window'>;

/**
 * The windows that opened and belong to programs which the target's application started since then. The operating system knows which process started
 * which; the display knows whose window it is.
 */
export function startedWindows(
  desktop: Pick<DesktopPort, 'startedLately'>,
  before: Surroundings,
  after: Surroundings,
  sinceMs: number,
): ReadonlySet<DesktopWindow> {
  const own = before.pid ?? after.pid;
  const foreign = diffWindows(before.windows, after.windows)
    .filter(({ change, window }) => change.kind === 'window_opened' && window.pid !== own)
    .map(({ window }) => window);
  if (own === undefined || foreign.length === 0) return new Set();
  const pids = foreign.map(({ pid }) => pid);
  const started = desktop.startedLately(own, pids, sinceMs);
  return new Set(foreign.filter(({ pid }) => started.has(pid)));
}

/**
 * The windows of the target's application that opened or closed, or of programs that it started, those beside the target's that took another title, and the target's own if it was
 * maximized, minimized, shown in full screen or restored; windows of other applications are unrelated.
 */
export function windowChangesBetween(before: OwnSurroundings, after: Surroundings): WindowChange[] {
  const pid = before.pid ?? after.pid;
  const opened = diffWindows(before.windows, after.windows).filter(
    ({ window }) => pid !== undefined && (window.pid === pid || after.started?.has(window) === true),
  );
  const own = before.window;
  const told = opened.map((one) =>
    after.started?.has(one.window) === true ? { ...one, isStarted: true } : one,
  );
  const beside = (before.windows ?? []).filter(
    (window) => pid !== undefined && window.pid === pid && window.id !== own?.id,
  );
  return [...told, ...retitled(beside, after.windows ?? []), ...resized(own, after.windows ?? [])];
}

/** What a dialog did to a document shows in the title of the document's window. The title of the target's own is the name of its root. */
export function retitled(before: readonly DesktopWindow[], after: readonly DesktopWindow[]): WindowChange[] {
  return before.flatMap((window) => {
    const now = after.find((one) => one.id === window.id);
    if (now === undefined || withoutNumbers(now.title) === withoutNumbers(window.title)) return [];
    const { change } = windowChange('changed', now);
    const [was, is] = [window.title, now.title].map(
      (title) => `name ${JSON.stringify(clip(title, LONGEST))}`,
    );
    return [{ change: { ...change, before: was, after: is }, window: now }];
  });
}

/** Of a title in a receipt. */
const LONGEST = 120;

export function isOfTitle({ change }: Pick<WindowChange, 'change'>): boolean {
  return change.kind === 'changed' && change.before?.startsWith('name ') === true;
}

/** Whether the application itself reported the title that a window took; the display alone proves nothing. */
export function isTitleTold({ window: { root } }: WindowChange, events: readonly DesktopEvent[]): boolean {
  return (
    root !== undefined &&
    events.some(({ kind, node }) => kind === 'name-changed' && handleKey(node) === handleKey(root))
  );
}

/** Whether the display shows another title for a window now; a number in it may count by itself. */
export function isRetitled(before: DesktopWindow | undefined, after: DesktopWindow | undefined): boolean {
  return before !== undefined && after !== undefined && retitled([before], [after]).length > 0;
}

/** The same as a change of the window's root, if it has a tree. */
export function inTree({
  change,
  window: { root: handle, title },
}: WindowChange): ObservedChange | undefined {
  if (handle === undefined) return undefined;
  const node: TreeNode = { handle, role: 'window', nativeRole: '', name: title, states: [], children: [] };
  return { change, node, key: handleKey(handle), lineage: [] };
}

function resized(before: DesktopWindow | undefined, after: readonly DesktopWindow[]): WindowChange[] {
  const now = before && after.find((window) => membership([before])(window));
  if (before === undefined || now === undefined) return [];
  const states = [sizeState(before), sizeState(now)] as const;
  const [was, is] = states[0] === states[1] ? [pixelsOf(before), pixelsOf(now)] : states;
  if (was === undefined || is === undefined || was === is) return [];
  const { change, window } = windowChange('changed', now);
  return [{ change: { ...change, before: was, after: is }, window }];
}

function pixelsOf({ bounds }: DesktopWindow): string | undefined {
  return bounds && `${bounds.width}x${bounds.height} pixels`;
}

function sizeState({ minimized, maximized, fullscreen }: DesktopWindow): string {
  if (minimized) return 'minimized';
  if (fullscreen === true) return 'in full screen';
  return maximized === true ? 'maximized' : 'neither minimized nor maximized';
}

/**
 * The windows that the application opened before it processed our press, or before the button was released, such as a dialog that appeared by
 * itself during a click. None if the application reports no times.
 */
export async function unrelatedWindows(
  desktop: DesktopPort,
  { before, after, outcome }: { before: OwnSurroundings; after: Surroundings; outcome: ActOutcome },
  options: CallOptions,
): Promise<ReadonlySet<DesktopWindow>> {
  const { pressedAtMs, openBefore } = outcome;
  if (pressedAtMs === undefined) return new Set();
  const isStarted = (window: DesktopWindow): boolean => after.started?.has(window) === true;
  const opened = windowChangesBetween(before, after).filter(({ change }) => change.kind === 'window_opened');
  const asked = await Promise.all(
    opened.map(async ({ window }) => {
      if (openBefore?.has(window.id) === true) return window;
      // The program was started after it; its windows may know of no input yet.
      if (isStarted(window)) return undefined;
      const userTimeMs = await desktop.userTimeMs(window.id, options).catch(() => undefined);
      return userTimeMs !== undefined && userTimeMs < pressedAtMs ? window : undefined;
    }),
  );
  return new Set(asked.filter((window) => window !== undefined));
}
