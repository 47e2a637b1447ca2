import type { Attributed } from './attribute.ts';
import type { JournalKind } from './entry.ts';
import { joined, stateIn, type Happening } from './happening.ts';

/** Roles whose text is a number: toolkits report that the text changed, too. */
const NUMERIC: ReadonlySet<string> = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);

/** Roles that show text of any length, which is not their name. */
const TEXTS: ReadonlySet<string> = new Set([
  'textbox',
  'searchbox',
  'document',
  'log',
  'terminal',
  'combobox',
]);

/** How long around its opening a window is built. */
const SET_UP_MS = 500;

/** How toolkits report that another value is shown. */
const OF_VALUE: ReadonlySet<JournalKind> = new Set(['text_changed', 'name_changed', 'selection_changed']);

/** The kind of a change for a reader, who cares what changed and not how its toolkit says so. */
export function shownKind({ kind, subject }: Pick<Happening, 'kind' | 'subject'>): JournalKind {
  if (subject.role === 'combobox' && subject.isEditable === false && OF_VALUE.has(kind))
    return 'value_changed';
  if (kind === 'name_changed' && NUMERIC.has(subject.role ?? '') && subject.isEditable === false)
    return 'value_changed';
  if (kind !== 'text_changed' || subject.role === undefined) return kind;
  if (NUMERIC.has(subject.role)) return 'value_changed';
  return subject.isEditable === true || TEXTS.has(subject.role) ? kind : 'name_changed';
}

/**
 * Entries that say the same of the same subject become one, at the place of the first; so do moves of the focus within an application. A change that
 * a toolkit reports in two ways counts once.
 */
export function summarise(given: readonly Attributed[]): readonly Attributed[] {
  const all = withoutSetUp(given);
  const groups = new Map<string, Attributed[]>();
  for (const [index, one] of all.entries()) {
    const kind = shownKind(one.happening);
    const sort = ONCE.has(kind) ? `${index}` : sortOf(one, kind);
    groups.set(sort, [...(groups.get(sort) ?? []), one]);
  }
  const summary = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const whole = group.map(({ happening }) => happening).reduce((before, next) => joined(before, next));
    return [{ ...first, happening: { ...whole, kind: shownKind(first.happening), count: countOf(group) } }];
  });
  return summary.toSorted((a, b) => a.happening.fromMs - b.happening.fromMs);
}

/** Names and values that elements get while their window is built are no changes. */
function withoutSetUp(all: readonly Attributed[]): readonly Attributed[] {
  const openedAt = new Map<string, number[]>();
  for (const { happening } of all) {
    const { kind, subject, fromMs } = happening;
    if ((kind !== 'window_opened' && kind !== 'dialog_appeared') || subject.windowId === undefined) continue;
    openedAt.set(subject.windowId, [...(openedAt.get(subject.windowId) ?? []), fromMs]);
  }
  return all.filter(({ happening: { kind, subject, toMs } }) => {
    if (ONCE.has(kind) || kind === 'focus_changed') return true;
    const times = openedAt.get(subject.windowId ?? '') ?? [];
    return !times.some((atMs) => toMs >= atMs - SET_UP_MS && toMs <= atMs + SET_UP_MS);
  });
}

/** Of the way of reporting that reported most. */
function countOf(group: readonly Attributed[]): number {
  const counts = new Map<JournalKind, number>();
  for (const { happening } of group)
    counts.set(happening.kind, (counts.get(happening.kind) ?? 0) + happening.count);
  return Math.max(...counts.values());
}

function sortOf({ happening, by, command = '' }: Attributed, kind: JournalKind): string {
  const { subject } = happening;
  const what = kind === 'focus_changed' ? `focus of ${subject.pid ?? subject.app ?? ''}` : subject.key;
  return [kind, what, stateIn(happening) ?? '', by, command].join('\n');
}

const ONCE: ReadonlySet<JournalKind> = new Set([
  'window_opened',
  'window_closed',
  'dialog_appeared',
  'dialog_closed',
  'notification_appeared',
  'app_started',
  'app_exited',
]);
