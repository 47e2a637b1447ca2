import { handleKey } from '../../model/tree/node.ts';
import type { Role } from '../../model/tree/role.ts';
import type { DesktopEvent } from '../../ports/desktop.ts';
import type { ObservedChange } from './window-diff.ts';

/** When an act was asked for, when the application answered, and how long its toolkit then takes to carry it out. */
export interface ActSpan {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly activationDelayMs: number;
}

/** What a handler causes is told within this time after it ran, on a busy machine too. */
const CONSEQUENCE_MS = 150;
/** Timers fire a little early by our clock. */
const EARLY_MS = 30;
/** Events that come with any window activity: they neither prove that an act worked nor that an element is restless. */
const INCIDENTAL = new Set(['focus-changed', 'window-changed', 'desktop-lost']);

export function isTelling(event: DesktopEvent): boolean {
  return !INCIDENTAL.has(event.kind);
}

/**
 * The events that an act may have caused: those that came when its handler ran, of elements that tell of changes at no other time. An
 * element that also speaks before or after ticks by itself, and proves nothing.
 */
export function attributableEvents(
  events: readonly DesktopEvent[],
  span: ActSpan,
): { readonly caused: readonly DesktopEvent[]; readonly restless: ReadonlySet<string> } {
  const { askedAt, answeredAt, activationDelayMs } = span;
  // Values and check boxes change while the application answers; what has to be activated first changes when that is over.
  const isInTime = ({ atMs }: DesktopEvent): boolean =>
    (atMs >= askedAt && atMs <= answeredAt + CONSEQUENCE_MS) ||
    (atMs >= askedAt + activationDelayMs - EARLY_MS &&
      atMs <= answeredAt + activationDelayMs + CONSEQUENCE_MS);
  const restless = new Set(
    events.filter((event) => isTelling(event) && !isInTime(event)).map((event) => handleKey(event.node)),
  );
  return {
    caused: events.filter((event) => isInTime(event) && !restless.has(handleKey(event.node))),
    restless,
  };
}

/** Whether a window came or went before the act was sent: then windows are somebody else's doing. */
export function windowsMovedBefore(events: readonly DesktopEvent[], sentAt: number): boolean {
  return events.some(
    ({ kind, atMs }) => (kind === 'window-opened' || kind === 'window-closed') && atMs < sentAt,
  );
}

/** What toolkits say of an element that is destroyed. */
const LOST: ReadonlySet<string> = new Set(['defunct=1', 'showing=0']);

/** Whether an element was destroyed, or hidden, before the moment at which an act could have had an effect. */
export function wasLostBefore(events: readonly DesktopEvent[], key: string, atMs: number): boolean {
  return events.some(
    (event) =>
      event.kind === 'state-changed' &&
      LOST.has(event.detail) &&
      event.atMs < atMs &&
      handleKey(event.node) === key,
  );
}

/** When an act can have its effect at the earliest. A button that is asked through accessibility is pressed for a while first. */
export function earliestEffect(
  span: ActSpan,
  { sentAtMs, isActivated }: { readonly sentAtMs: number | undefined; readonly isActivated: boolean },
): number {
  return (sentAtMs ?? span.askedAt) + (isActivated ? span.activationDelayMs - EARLY_MS : 0);
}

/** Whether a change is the doing of something that also moves when nobody acts: the element itself, or the list that it came to or left. */
export function isBackground(
  { change, key, lineage }: ObservedChange,
  restless: ReadonlySet<string>,
): boolean {
  if (restless.has(key)) return true;
  return change.kind !== 'changed' && change.kind !== 'focus' && restless.has(lineage.at(-1) ?? '');
}

/** Longer than the beat of anything that shows seconds. */
export const TICK_MS = 1100;

/** What changes only when somebody works it, or when the application answers to that. */
const STEADY: ReadonlySet<Role> = new Set<Role>([
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
]);
/** Numbers in these were put there. */
const ENTRIES: ReadonlySet<Role> = new Set<Role>(['searchbox', 'spinbutton', 'textbox']);

/** Whether a change is of a kind that also comes about by itself: clocks, progress bars, logs, rows of a process list, "Retry (4)". */
export function mayTick({ change, node }: ObservedChange): boolean {
  if (!STEADY.has(node.role)) return true;
  // A text of several lines that nobody can edit is a log.
  if (node.role === 'textbox' && node.states.includes('multiline') && !node.states.includes('editable'))
    return true;
  if (change.kind !== 'changed' || ENTRIES.has(node.role)) return false;
  const [before = '', after = ''] = [change.before, change.after];
  return /\d/.test(before) && withoutNumbers(before) === withoutNumbers(after);
}

/** For comparing texts that count something. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}
