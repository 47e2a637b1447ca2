import type { ChangeSince } from '../effects/effect.ts';
import { clip, quote, reveal } from '../text/untrusted-text.ts';

/** Characters of a name, or of the text before or after a change, in an outline. */
const LONGEST_TEXT = 160;

const SIGNS: Readonly<Record<ChangeSince['kind'], string>> = {
  appeared: '+',
  window_opened: '+',
  disappeared: '-',
  window_closed: '-',
  changed: '~',
  focus: '~',
};

/**
 * Changes since an earlier reading, one per line:
 *
 *     + dialog "Confirm"
 *       + button "OK" @e9: focused
 *     ~ checkbox "Agree" @e3: none -> checked
 *     - group "Details" (4 inside)
 */
export function outlineChanges(changes: readonly ChangeSince[]): string {
  return changes.map((change) => outlineChange(change)).join('');
}

function outlineChange(change: ChangeSince): string {
  const { kind, role, name, ref, inside, level = 0 } = change;
  let line = `${'  '.repeat(level)}${SIGNS[kind]}`;
  if (role !== undefined) line += ` ${role}`;
  if (name !== undefined) line += ` ${quote(clip(name, LONGEST_TEXT))}`;
  if (ref !== undefined) line += ` ${ref}`;
  if (inside !== undefined) line += ` (${inside} inside)`;
  const what = difference(change);
  return what === '' ? `${line}\n` : `${line}: ${what}\n`;
}

function difference({ kind, before, after }: ChangeSince): string {
  if (kind === 'focus') return 'focused';
  const became = after === undefined ? '' : reveal(clip(after, LONGEST_TEXT));
  return before === undefined ? became : `${reveal(clip(before, LONGEST_TEXT))} -> ${became}`;
}
