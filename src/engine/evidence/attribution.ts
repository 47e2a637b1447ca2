import { handleKey } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { ObservedChange } from './window-diff.ts';

/** When an act was requested, when the application answered, and how long its toolkit then takes to carry it out. */
export interface ActSpan {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly activationDelayMs: number;
}

/** Events caused by a handler arrive within this time after it ran, even on a busy machine. */
export const CONSEQUENCE_MS = 150;
/** Timers fire a little early by our clock. */
export const EARLY_MS = 30;
/** Events that come with any window activity: they neither prove that an act worked nor that an element is restless. */
const INCIDENTAL = new Set(['caret-moved', 'focus-changed', 'window-changed', 'desktop-lost']);

export function isSignificant(event: DesktopEvent): boolean {
  return !INCIDENTAL.has(event.kind);
}

/**
 * The events that an act may have caused: those that arrived while its handler ran, from elements that send none at other times. An
 * element that also sends events before or after changes by itself and proves nothing.
 *
 * @param consequenceMs how long after the handler; longer only if nothing at all happened in the usual time
 */
export function attributableEvents(
  events: readonly DesktopEvent[],
  span: ActSpan,
  consequenceMs = CONSEQUENCE_MS,
): { readonly caused: readonly DesktopEvent[]; readonly restless: ReadonlySet<string> } {
  const { askedAt, answeredAt, activationDelayMs } = span;
  // Values and check boxes change while the application handles the call; elements that are activated change after the activation delay.
  const isInTime = ({ atMs }: DesktopEvent): boolean =>
    (atMs >= askedAt && atMs <= answeredAt + consequenceMs) ||
    (atMs >= askedAt + activationDelayMs - EARLY_MS &&
      atMs <= answeredAt + activationDelayMs + consequenceMs);
  const restless = new Set(
    events.filter((event) => isSignificant(event) && !isInTime(event)).map((event) => handleKey(event.node)),
  );
  return {
    caused: events.filter((event) => isInTime(event) && !restless.has(handleKey(event.node))),
    restless,
  };
}

/** Whether a window opened or closed before the act was sent; then window changes prove nothing. */
export function windowsMovedBefore(events: readonly DesktopEvent[], sentAt: number): boolean {
  return events.some(
    ({ kind, atMs }) => (kind === 'window-opened' || kind === 'window-closed') && atMs < sentAt,
  );
}

/** Between the two events of an element that is put elsewhere; Qt sends both while it lays out the window. */
const PUT_ELSEWHERE_MS = 50;

/** Details of the events that toolkits send for a destroyed element. */
const LOST: ReadonlySet<string> = new Set(['defunct=1', 'showing=0']);

/**
 * Whether an element was destroyed or hidden before this time. One that is shown again at once was only put elsewhere, as Qt does with a whole
 * toolbar, and could be used all the time.
 */
export function wasLostBefore(events: readonly DesktopEvent[], key: string, atMs: number): boolean {
  const own = events.filter(({ kind, node }) => kind === 'state-changed' && handleKey(node) === key);
  return own.some(
    ({ detail, atMs: lostAt }, index) =>
      LOST.has(detail) &&
      lostAt < atMs &&
      !(detail === 'showing=0' && own.slice(index + 1).some((later) => isShownAgain(later, lostAt))),
  );
}

function isShownAgain({ detail, atMs }: DesktopEvent, hiddenAt: number): boolean {
  return detail === 'showing=1' && atMs - hiddenAt <= PUT_ELSEWHERE_MS;
}

/**
 * The earliest time at which an act can take effect. A button activated through accessibility stays pressed for a while first, and bridges to
 * the bus reply before they run the handler.
 */
export function earliestEffect(
  span: ActSpan,
  { sentAtMs, isActivated }: { readonly sentAtMs: number | undefined; readonly isActivated: boolean },
): number {
  const sentAt = sentAtMs ?? span.askedAt;
  return isActivated ? Math.max(span.answeredAt, sentAt + span.activationDelayMs - EARLY_MS) : sentAt;
}

/** Whether a change is background activity: of a restless element, or in a restless list. */
export function isBackground(
  { change, key, lineage }: ObservedChange,
  restless: ReadonlySet<string>,
): boolean {
  if (restless.has(key)) return true;
  return change.kind !== 'changed' && change.kind !== 'focus' && restless.has(lineage.at(-1) ?? '');
}

/** States that follow the window: an element of a minimized window is not in view. */
const VISIBILITY = new Set(['hidden', 'minimized', 'offscreen', 'focused', 'none']);

/** Whether something only appeared, disappeared or changed its visibility. */
export function isOnlyVisibility({ change }: ObservedChange): boolean {
  if (change.kind !== 'changed') return true;
  return [change.before, change.after].every(
    (states) => states?.split(' ').every((state) => VISIBILITY.has(state)) ?? false,
  );
}

/** Longer than one tick of anything that shows seconds. */
export const TICK_MS = 1100;

/** Roles that change only when somebody uses them, or when the application responds to that. */
const STEADY = roleSet(
  'button',
  'checkbox',
  'combobox',
  'dialog',
  'link',
  'menu',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'searchbox',
  'spinbutton',
  'switch',
  'tab',
  'tabpanel',
  'textbox',
  'togglebutton',
);
/** Roles whose numbers were entered. */
const ENTRIES = roleSet('searchbox', 'spinbutton', 'textbox');

/** Whether this kind of change also happens by itself: clocks, progress bars, logs, rows of a process list, "Retry (4)". */
export function mayTick({ change, node }: ObservedChange): boolean {
  if (!STEADY.has(node.role)) return true;
  // A read-only text of several lines may be a log.
  if (node.role === 'textbox' && node.states.includes('multiline') && !node.states.includes('editable'))
    return true;
  if (change.kind !== 'changed' || ENTRIES.has(node.role)) return false;
  const [before = '', after = ''] = [change.before, change.after];
  return /\d/.test(before) && withoutNumbers(before) === withoutNumbers(after);
}

/** For comparing texts that contain a counter. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}
