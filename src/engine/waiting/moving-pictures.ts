import { changedRegions } from '../../image/difference.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { pictureOf } from '../acting/picture.ts';
import { withName } from '../refs/target.ts';
import { isInView } from '../tree/element-states.ts';
import { elementsOf } from './busy.ts';

const MOST_WINDOWS = 4;
/** A blinking caret of a field whose focus nobody reports is not wider. */
const CARET_WIDTH = 3;
/** Whatever blinks in what has the focus is its caret. */
const TEXTS = roleSet(
  'textbox',
  'searchbox',
  'terminal',
  'combobox',
  'spinbutton',
  'document',
  'paragraph',
  'cell',
);

/** Pictures of the windows of an application, taken while it is quiet. */
export class MovingPictures {
  private readonly desktop: DesktopPort;
  private readonly windows: readonly DesktopWindow[];
  private readonly series = new Map<string, CapturedImage[]>();

  constructor(desktop: DesktopPort, windows: readonly DesktopWindow[]) {
    this.desktop = desktop;
    this.windows = windows
      .filter(({ minimized, isTreeOnly }) => !minimized && isTreeOnly !== true)
      .toSorted((one, other) => (other.stacking ?? 0) - (one.stacking ?? 0))
      .slice(0, MOST_WINDOWS);
  }

  /** How many pictures there are of the window with the fewest. */
  get taken(): number {
    const counts = this.windows.map(({ id }) => this.series.get(id)?.length ?? 0);
    return counts.length === 0 ? 0 : Math.min(...counts);
  }

  async take(options: CallOptions): Promise<void> {
    for (const window of this.windows) {
      const image = await pictureOf(this.desktop, window, options);
      if (image === undefined) continue;
      const images = this.series.get(window.id);
      if (images === undefined) this.series.set(window.id, [image]);
      else images.push(image);
    }
  }

  /** What moved from one picture to the next, in words; carets do not count. */
  moving(trees: readonly TreeNode[]): string | undefined {
    const elements = elementsOf(trees).filter((node) => isInView(node));
    const texts = elements.filter(({ states, role }) => states.includes('focused') && TEXTS.has(role));
    const ignored = texts.flatMap(({ bounds }) => bounds ?? []);
    for (const images of this.series.values())
      for (const [index, image] of images.entries()) {
        const before = images[index - 1];
        if (before === undefined) continue;
        const hidden = [...(before.covered ?? []), ...(image.covered ?? [])];
        const regions = changedRegions(before, image, [...ignored, ...hidden]);
        if (regions === undefined) return 'a window moved or changed its size';
        const [region] = regions.filter(({ bounds }) => bounds.width > CARET_WIDTH);
        if (region !== undefined) return `${at(region.bounds, elements)} moves`;
      }
    return undefined;
  }
}

/** The smallest element around a place, or the place. */
function at(place: Bounds, elements: readonly TreeNode[]): string {
  const around = elements.filter(({ bounds }) => bounds !== undefined && contains(bounds, place));
  const [smallest] = around.toSorted((one, other) => areaOf(one) - areaOf(other));
  const { x, y, width, height } = place;
  const where = `[${x},${y} ${width}x${height}]`;
  return smallest === undefined ? `something at ${where}` : `something at ${where} in ${withName(smallest)}`;
}

function contains(outer: Bounds, inner: Bounds): boolean {
  const part = intersect(outer, inner);
  return part !== undefined && part.width === inner.width && part.height === inner.height;
}

function areaOf({ bounds }: TreeNode): number {
  return bounds === undefined ? Number.POSITIVE_INFINITY : bounds.width * bounds.height;
}
