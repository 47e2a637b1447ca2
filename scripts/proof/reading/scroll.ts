import { park, turnWheel } from '../twins/act/mouse.ts';
import type { Box } from '../twins/look/tree.ts';
import type { Frame } from '../twins/side/frame.ts';
import type { Side } from '../twins/side/side.ts';
import type { Area } from './areas.ts';
import type { Scrolled } from './records.ts';

/** Turns of the wheel: more than one page of any window on the screen, and more than any of our applications holds. */
const PAGES = 25;
const WHOLE = 250;
/** Areas at one place that are scrolled, and that are tried. */
const MOST_AREAS = 2;
const MOST_TRIED = 4;
const STILL_MS = 400;
const MOST_MS = 3000;
/** Share of its pixels that scrolling an area changes, and a caret does not. */
const CHANGED = 0.005;

type Way = Area['way'];
const ON = { down: 5, right: 7 } as const satisfies Record<Way, number>;
const BACK = { down: 4, right: 6 } as const satisfies Record<Way, number>;

/** Scrolls one area after the other with the wheel: some pages on, to its end, and back. Yields whenever one has stopped. */
export async function* scroll(side: Side, areas: readonly Area[], end: number): AsyncGenerator<Scrolled> {
  let scrolled = 0;
  for (const area of areas.slice(0, MOST_TRIED)) {
    if (scrolled >= MOST_AREAS || performance.now() >= end) return;
    const turn = async (button: 4 | 5 | 6 | 7, clicks: number): Promise<boolean> => {
      const before = side.frame();
      await turnWheel(side, area.point, button, clicks);
      // What shows under a pointer that rests there is no content.
      await park(side);
      await side.untilStill(STILL_MS, MOST_MS);
      return isChanged(before, side.frame(), area.box);
    };
    if (!(await turn(ON[area.way], PAGES))) continue;
    scrolled += 1;
    yield { area: area.key, to: 'some pages on' };
    if (await turn(ON[area.way], WHOLE)) yield { area: area.key, to: 'its end' };
    if (await turn(BACK[area.way], PAGES + WHOLE)) yield { area: area.key, to: 'its start' };
  }
}

function isChanged(one: Frame, other: Frame, [left, top, width, height]: Box): boolean {
  let changed = 0;
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++)
      if (one.pixels[y * one.width + x] !== other.pixels[y * one.width + x]) changed += 1;
  return changed > CHANGED * width * height;
}
