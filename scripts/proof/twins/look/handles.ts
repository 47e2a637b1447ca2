import type { View } from './compare.ts';
import { tilesAt, type Tiles } from './picture.ts';
import type { Box, SeenWindow } from './tree.ts';

/** As high as the window manager draws it. */
const HANDLE_PX = 6;

interface Both {
  readonly ours: Pick<View, 'seen'>;
  readonly twin: Pick<View, 'seen'>;
}

/**
 * The squares of the handle under each window that is new on both sides and has the same title and place there. Openbox draws it under a window that may
 * be resized, and leaves it out if the application had told before the window was shown that it may not.
 */
export function handlesOfNew(before: Both, after: Both, screenWidth: number): Tiles {
  const [ours, twins] = [newIn(before.ours, after.ours), newIn(before.twin, after.twin)];
  const alike = ours.filter((one) =>
    twins.some((its) => its.title === one.title && its.box.join() === one.box.join()),
  );
  return new Set(alike.flatMap(({ box }) => [...tilesAt(handleUnder(box), screenWidth, false)]));
}

function newIn({ seen: before }: Pick<View, 'seen'>, { seen }: Pick<View, 'seen'>): SeenWindow[] {
  return seen.windows.filter(
    ({ id, managed }) => managed && before.windows.every((window) => window.id !== id),
  );
}

function handleUnder([x, y, width, height]: Box): Box {
  return [x, y + height, width, HANDLE_PX];
}
