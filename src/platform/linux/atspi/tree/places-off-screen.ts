import { LABELLED_BY_TEXT } from '../../../../model/tree/distill/names.ts';
import { STATIC_TEXT } from '../../../../model/tree/distill/draft.ts';
import { forEachNode, type RawNode } from './raw-node.ts';
import { mapRole } from './roles.ts';
import { hasState, HEADERS, STATE } from './states.ts';
import type { ToolkitKind } from './toolkit.ts';

/** Toolkits of which nothing depends on places that are not on screen but what is named here. */
const SPARES_PLACES: ReadonlySet<ToolkitKind> = new Set(['gtk3', 'gecko', 'chromium']);
/** How many texts before a control without a name may turn out to be its label. */
const MOST_LABELS = 8;

export function sparesPlaces(kind: ToolkitKind): boolean {
  return SPARES_PLACES.has(kind);
}

/** Whether more depends on the place of an element than where something off screen is: whether a page has loaded, and whether a header is hidden. */
export function needsPlace({ depth, states, nativeRole, isAtopPage }: RawNode): boolean {
  return (
    depth === 0 || isAtopPage || hasState(states, STATE.SHOWING) || HEADERS.has(mapRole(nativeRole, states))
  );
}

/**
 * For each control without a name, the last text before it, after which it would be named. A text that is the label of another control names only that:
 * the other one may be hidden, or be put elsewhere just now.
 */
export function textsBefore(root: RawNode): ReadonlyMap<RawNode, RawNode> {
  const found = new Map<RawNode, RawNode>();
  let text: RawNode | undefined;
  forEachNode(root, (node) => {
    const role = mapRole(node.nativeRole, node.states);
    if (STATIC_TEXT.has(role)) text = node;
    else if (text !== undefined && LABELLED_BY_TEXT.has(role) && isNameless(node)) found.set(node, text);
  });
  return found;
}

function isNameless({ name, labelledBy }: RawNode): boolean {
  return name.trim() === '' && !labelledBy;
}

/** Controls without a name are named after the text beside them: the elements whose places decide that, of those without a place so far. */
export function placesOfLabels(root: RawNode): readonly RawNode[] {
  const wanted = new Set<RawNode>();
  const texts: RawNode[] = [];
  forEachNode(root, (node) => {
    const role = mapRole(node.nativeRole, node.states);
    if (STATIC_TEXT.has(role)) {
      texts.push(node);
      if (texts.length > MOST_LABELS) texts.shift();
    }
    if (!LABELLED_BY_TEXT.has(role) || !isNameless(node)) return;
    for (const each of [node, ...texts]) if (!needsPlace(each)) wanted.add(each);
  });
  return [...wanted];
}
