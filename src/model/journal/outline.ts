import { reveal } from '../text/untrusted-text.ts';
import type { JournalEntry } from './entry.ts';

const BY: Readonly<Record<JournalEntry['by'], string>> = {
  own: 'own act',
  other_session: 'another session',
  user: 'user',
  application: 'application',
  unknown: 'unknown',
};

/** One line: `12:30:05.120 own act (click): dialog "Save" appeared, kate @w3`. */
export function outlineEntry(entry: JournalEntry): string {
  const { time, by, command, what, app, window, ref, kind } = entry;
  const source = command === undefined ? BY[by] : `${BY[by]} (${command})`;
  const isOfApp = kind === 'app_started' || kind === 'app_exited';
  const isOfWindow = kind.startsWith('window_') || kind.startsWith('dialog_');
  const places = [
    ...(app === undefined || isOfApp ? [] : [reveal(app)]),
    ...(window === undefined || isOfWindow ? [] : [`window ${JSON.stringify(reveal(window))}`]),
  ];
  const place = places.length === 0 ? '' : `, in ${places.join(', ')}`;
  return `${time.slice(11, 23)} ${source}: ${reveal(what)}${place}${ref === undefined ? '' : ` ${ref}`}`;
}
