import { mergeChanges } from '../../model/effects/merge-changes.ts';
import type { Change } from '../../model/effects/effect.ts';
import type { Filled } from './fill-field.ts';

/** What a form may do to a field: its value, or whether it is switched on. */
const OF_VALUE = /^value /;
const OF_SWITCH = /\b(checked|indeterminate|pressed)\b/;

/**
 * The receipt of a field after the fields that were filled after it. Forms clear or correct fields when others change; then what was confirmed is no
 * longer there.
 */
export function asLastSeen(field: Filled, later: readonly Filled[]): Filled {
  const { ref } = field.target;
  if (field.effect !== 'confirmed' || ref === undefined) return field;
  const own = later.map(({ changes = [] }) =>
    changes.filter((change) => change.ref === ref && isOfContent(change)),
  );
  const evidence = mergeChanges(own).map(
    ({ before = '', after = '' }) => `it changed again while later fields were filled: ${before} -> ${after}`,
  );
  return evidence.length === 0 ? field : { ...field, effect: 'unverified', evidence };
}

function isOfContent({ kind, before = '', after = '' }: Change): boolean {
  if (kind !== 'changed') return false;
  const isName = before.startsWith('name ');
  return OF_VALUE.test(after) || (!isName && (OF_SWITCH.test(before) || OF_SWITCH.test(after)));
}
