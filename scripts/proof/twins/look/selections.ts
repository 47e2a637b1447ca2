import { keyText, keyOf, type WidgetKey } from '../act/widgets.ts';
import type { View } from './compare.ts';
import { tilesAt, type Tiles } from './picture.ts';
import { placed, type Placed } from './tree.ts';

interface Both {
  readonly ours: View;
  readonly twin: View;
}

/**
 * The squares of fields, other than the one that was acted on, whose text was marked before the act on both sides, still is on ours, and no longer on
 * the twin: a click takes the focus out of such a field, which unmarks its text. A text that our act marked was not marked before, and counts.
 */
export function keptSelections(before: Both, after: Both, key: WidgetKey): Tiles {
  const [wasHere, wasThere] = [before.ours, before.twin].map(markedIn);
  const [here, there] = [after.ours, after.twin].map(markedIn);
  const kept = [...(here ?? [])].flatMap(([place, { node, range }]) => {
    const isAsBefore = wasHere?.get(place)?.range === range && wasThere?.get(place)?.range === range;
    const isTarget = place === keyText(key);
    return isAsBefore && there?.has(place) === false && !isTarget && node.box !== null ? [node.box] : [];
  });
  return new Set(kept.flatMap((box) => [...tilesAt(box, after.ours.frame.width, false)]));
}

/** The fields with a marked text, by their place, and which part of it is marked. */
function markedIn({ seen }: View): ReadonlyMap<string, Placed & { readonly range: string }> {
  return new Map(
    [...placed(seen)].flatMap((one) => {
      const range = one.node.marked?.join(' ');
      return range === undefined ? [] : [[keyText(keyOf(one)), { ...one, range }]];
    }),
  );
}
