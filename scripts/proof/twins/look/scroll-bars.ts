import type { View } from './compare.ts';
import { GTK_4 } from './marks.ts';
import { tilesAt, type Tiles } from './picture.ts';
import type { Frame } from '../side/frame.ts';
import { placed, type Box, type Placed, type SeenNode } from './tree.ts';

/**
 * The squares of the scroll bars that GTK 4 shows at the same place in both views. It estimates the height of a list from the rows that it has made so
 * far, which depends on what was shown before: the thumb may be longer or elsewhere though the list shows the same rows. What is scrolled is compared,
 * so there must be something to see in it.
 */
export function estimatedBars(one: View, other: View): Tiles {
  const [here, there] = [barsIn(one), barsIn(other)];
  const alike = [...here].flatMap(([place, { node, above }]) => {
    const box = node.box ?? undefined;
    const its = there.get(place)?.node.box ?? undefined;
    const content = contentBeside(node, above.at(-1));
    const isTelling = content !== undefined && !isFlat(one.frame, content) && !isFlat(other.frame, content);
    return box !== undefined && box.join(' ') === its?.join(' ') && isTelling ? [box] : [];
  });
  return new Set(alike.flatMap((box) => [...tilesAt(box, one.frame.width, false)]));
}

function barsIn({ seen }: View): ReadonlyMap<string, Placed> {
  const found = [...placed(seen)].filter(
    ({ node, application }) => node.role === 'scroll bar' && application.toolkit === GTK_4,
  );
  return new Map(found.map((one) => [[...one.above, one.node].map(({ index }) => index).join('.'), one]));
}

/** What is scrolled: the largest other thing in the scroll pane, and the pane without the bar if that has no place. */
function contentBeside(bar: SeenNode, pane: SeenNode | undefined): Box | undefined {
  if (bar.box === null || pane === undefined || pane.box === null) return undefined;
  const [left, top, across, down] = pane.box;
  const [x, y, width, height] = bar.box;
  return height > width ? [left, top, x - left, down] : [left, top, across, y - top];
}

function isFlat({ pixels, width, height }: Frame, [left, top, across, down]: Box): boolean {
  const rows = Array.from({ length: Math.max(0, down) }, (_, row) => top + row);
  const first = pixels[top * width + left];
  return rows
    .filter((row) => row >= 0 && row < height)
    .every((row) =>
      pixels
        .subarray(row * width + Math.max(0, left), row * width + Math.min(width, left + across))
        .every((pixel) => pixel === first),
    );
}
