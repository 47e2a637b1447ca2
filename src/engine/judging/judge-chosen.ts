import { handleKey } from '../../model/tree/node.ts';
import { isInView } from '../tree/element-states.ts';
import { pathTo } from '../tree/path-to.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  quote,
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
  if (events.length === 0) return undefined;
  if (shown === undefined) return judgeKept(seen, { around, label });
  return confirmed([describeChange(shown.change), ...eventEvidence(events)], false);
}

/** The item that was chosen before: the list closes, and the combo box still shows it. */
function judgeKept(
  { after, before, events, trees }: Observation,
  { around, label }: { readonly around: ReadonlySet<string>; readonly label: string },
): Judgement | undefined {
  if (trees === undefined || label === '' || !isInView(before) || (after !== undefined && isInView(after)))
    return undefined;
  const closing = events.filter(({ kind, detail }) => kind === 'state-changed' && detail === 'showing=0');
  const isHeld = [...around].some((key) => pathTo(trees.after.root, key).at(-1)?.value === label);
  return isHeld && closing.length > 0
    ? confirmed([`fresh read: ${quote(label)}, as before; its list closed`, ...eventEvidence(closing)], false)
    : undefined;
}
