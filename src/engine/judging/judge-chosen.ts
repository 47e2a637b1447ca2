import { handleKey } from '../../model/tree/node.ts';
import { pathTo } from '../tree/path-to.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  type Judgement,
  type Observation,
} from '../evidence/evidence.ts';
import { significantEvents } from '../evidence/witnesses.ts';

/** An item in the list of a combo box, which then shows it. */
export function judgeChosen(seen: Observation): Judgement | undefined {
  const { before, changes, trees, targetKey } = seen;
  const path = trees === undefined ? [] : pathTo(trees.before.root, targetKey).slice(0, -1);
  const around = new Set(
    path.filter(({ role }) => role === 'combobox').map(({ handle }) => handleKey(handle)),
  );
  const label = before.name;
  const shown = changes.find(
    ({ change, key, node }) =>
      around.has(key) &&
      change.kind === 'changed' &&
      label !== '' &&
      (node.value === label || node.name === label),
  );
  const events = significantEvents(seen).filter(({ node }) => handleKey(node) === targetKey);
  if (shown === undefined || events.length === 0) return undefined;
  return confirmed([describeChange(shown.change), ...eventEvidence(events)], false);
}
