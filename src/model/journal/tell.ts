import { clip, quoteClipped } from '../text/untrusted-text.ts';
import { shownRole } from '../tree/role.ts';
import type { Attributed } from './attribute.ts';
import type { JournalEntry } from './entry.ts';
import { stateIn, type Happening, type Subject } from './happening.ts';

/** Longest value that an entry shows. */
const LONGEST_VALUE = 80;

export interface Telling {
  /** The wall-clock time of a moment of the program's clock. */
  readonly timeOf: (atMs: number) => string;
  /** The reference of what it is about, if that still exists. */
  readonly ref?: string | undefined;
}

/** The entry that readers see. */
export function tell({ happening, by, command }: Attributed, { timeOf, ref }: Telling): JournalEntry {
  const { kind, subject, fromMs, toMs, count } = happening;
  const { before, after } = isTold(happening) ? happening : {};
  const isAboutElement = subject.role !== undefined;
  return {
    time: timeOf(fromMs),
    ...(count > 1 ? { until: timeOf(toMs) } : {}),
    kind,
    ...(subject.app === undefined ? {} : { app: subject.app }),
    ...(subject.pid === undefined || subject.pid === 0 ? {} : { pid: subject.pid }),
    ...(subject.windowTitle === undefined ? {} : { window: subject.windowTitle }),
    ...(isAboutElement ? { element: elementOf(subject) } : {}),
    what: sentenceOf(happening),
    ...(before === undefined ? {} : { before: clip(before, LONGEST_VALUE) }),
    ...(after === undefined ? {} : { after: clip(after, LONGEST_VALUE) }),
    ...(count > 1 ? { count } : {}),
    by,
    ...(command === undefined ? {} : { command }),
    ...(ref === undefined ? {} : { ref }),
  };
}

/** Whether its values may be told: not what was typed, nor what a masked field contains. */
export function isTold({ kind, subject }: Pick<Happening, 'kind' | 'subject'>): boolean {
  if (subject.isMasked === true) return false;
  // The name of a cell is its content.
  if (kind === 'name_changed') return subject.isEditable !== true;
  return kind === 'value_changed' && !isTyped(subject);
}

/** A number in a spin button is a value, even if it was typed. */
function isTyped({ role, isEditable }: Subject): boolean {
  if (role === 'combobox') return isEditable !== false;
  return isEditable === true && role !== 'spinbutton' && role !== 'slider';
}

function elementOf({ role, name = '', isEditable }: Subject): string {
  const shown = role === undefined ? 'element' : shownRole({ role, name });
  const isContent = isEditable === true && (role === 'cell' || role === 'gridcell');
  return name === '' || isContent ? shown : `${shown} ${quoteClipped(name)}`;
}

const WINDOWS: Readonly<Record<string, readonly [string, string]>> = {
  window_opened: ['window', 'opened'],
  window_closed: ['window', 'closed'],
  dialog_appeared: ['dialog', 'appeared'],
  dialog_closed: ['dialog', 'closed'],
};

const CHANGED: Readonly<Record<string, string>> = {
  value_changed: 'value',
  text_changed: 'text',
  name_changed: 'name',
  selection_changed: 'selection',
};

function sentenceOf(happening: Happening): string {
  const { kind, subject, count, detail = '' } = happening;
  const window = WINDOWS[kind];
  if (window !== undefined) return `${window[0]} ${quoteClipped(subject.name ?? '')} ${window[1]}`;
  switch (kind) {
    case 'app_started':
      return `application ${quoteClipped(subject.app ?? '')} started`;
    case 'app_exited':
      return `application ${quoteClipped(subject.app ?? '')} exited`;
    case 'notification_appeared':
      return `notification ${quoteClipped(subject.name ?? '')}${detail === '' ? '' : `: ${quoteClipped(detail)}`}`;
    case 'focus_changed':
      return count > 1
        ? `focus moved ${count} times, last to ${elementOf(subject)}`
        : `focus moved to ${elementOf(subject)}`;
    case 'state_changed':
      return stateSentence(happening);
    default:
      return changeSentence(happening, CHANGED[kind] ?? 'state');
  }
}

function changeSentence(happening: Happening, what: string): string {
  const { subject, count, before, after } = happening;
  const element = elementOf({ ...subject, name: what === 'name' ? undefined : subject.name });
  const how =
    !isTold(happening) || after === undefined
      ? ''
      : `, ${before === undefined ? 'now' : `${shownValue(before)} →`} ${shownValue(after)}`;
  return count > 1
    ? `${count} changes of ${what} of ${element}${how}`
    : `${what} of ${element} changed${how}`;
}

function stateSentence(happening: Happening): string {
  const { subject, count, detail = '' } = happening;
  const state = stateIn(happening) ?? 'state';
  const isOn = detail.endsWith('=1');
  const now = `${isOn ? '' : 'not '}${state}`;
  return count > 1
    ? `${count} changes of ${state} of ${elementOf(subject)}, now ${now}`
    : `${elementOf(subject)} is ${now}`;
}

function shownValue(value: string): string {
  return /^-?\d+(?:\.\d+)?%?$/.test(value) ? value : quoteClipped(value);
}
