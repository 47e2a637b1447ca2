import { JOURNAL_KINDS, type JournalKind } from '../../model/journal/entry.ts';
import type { ActReach } from '../../model/journal/attribute.ts';
import type { ActKind } from './attempt.ts';

const ANYTHING: ReadonlySet<JournalKind> = new Set(JOURNAL_KINDS);
const WINDOWS = ['window_opened', 'window_closed', 'dialog_appeared', 'dialog_closed'] as const;

/** The focus alone changes no text, switches nothing and selects nothing: who presses a key next does. */
const FOCUS: ReadonlySet<JournalKind> = new Set(['focus_changed', ...WINDOWS]);
/** The pointer marks items of menus and shows hints in status bars, but switches nothing. */
const HOVER: ReadonlySet<JournalKind> = new Set([
  ...FOCUS,
  'selection_changed',
  'name_changed',
  'text_changed',
]);
/** Bars move, and labels tell the new place. */
const SCROLL: ReadonlySet<JournalKind> = new Set([...HOVER, 'value_changed']);

/** Whether an act of this kind may write into what keys can be typed into: anywhere, anywhere but into its target, or nowhere. */
type Writes = 'anywhere' | 'elsewhere' | 'nowhere';

const REACH: Readonly<Record<ActKind, readonly [ReadonlySet<JournalKind>, Writes]>> = {
  focus: [FOCUS, 'nowhere'],
  hover: [HOVER, 'nowhere'],
  scroll: [SCROLL, 'nowhere'],
  click: [ANYTHING, 'elsewhere'],
  'double-click': [ANYTHING, 'elsewhere'],
  'triple-click': [ANYTHING, 'elsewhere'],
  'right-click': [ANYTHING, 'elsewhere'],
  toggle: [ANYTHING, 'elsewhere'],
  expand: [ANYTHING, 'elsewhere'],
  collapse: [ANYTHING, 'elsewhere'],
  clear: [ANYTHING, 'anywhere'],
  'set-value': [ANYTHING, 'anywhere'],
  type: [ANYTHING, 'anywhere'],
  select: [ANYTHING, 'anywhere'],
  press: [ANYTHING, 'anywhere'],
  mouse: [ANYTHING, 'anywhere'],
  drag: [ANYTHING, 'anywhere'],
};

/** What an act of this kind on this element can bring about. */
export function reachOf(kind: ActKind, targetKey: string): ActReach {
  const [kinds, writes] = REACH[kind];
  const targets = new Set(writes === 'elsewhere' ? [targetKey] : []);
  return { kinds, leavesTyped: writes === 'nowhere' ? 'all' : targets };
}
