import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopPopup, DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ApplicationGuard } from './application-guard.ts';
import { blank } from '../../image/blank.ts';
import { without } from './visible-parts.ts';

/** The frame that the window manager draws around a window, in which its title is. */
const FRAME = 48;

interface Look {
  readonly windows: readonly DesktopWindow[];
  readonly popups: readonly DesktopPopup[];
  readonly denied: ReadonlySet<string>;
}

/** Pictures in which windows of denied applications are grey. */
export function guardedCapture(desktop: DesktopPort, guard: ApplicationGuard): DesktopPort['capture'] {
  const look = async (options: CallOptions): Promise<Look> => {
    const [windows, listed] = await Promise.all([guard.windows(options), desktop.listPopups(options)]);
    const denied = new Set<string>();
    for (const window of windows) if (await guard.isDeniedWindow(window)) denied.add(window.id);
    const popups: DesktopPopup[] = [];
    for (const popup of listed) if (await guard.isDeniedPopup(popup, denied)) popups.push(popup);
    return { windows, popups, denied };
  };
  return async (target, options) => {
    const before = await look(options);
    if (target.kind === 'window') await guard.requireAmong(before.windows, target.windowId, 'read');
    const image = await desktop.capture(target, options);
    // Windows may have moved meanwhile.
    const places = [before, await look(options)].flatMap((one) => placesIn(one, target, image));
    return places.length === 0 ? image : blank(image, places);
  };
}

/** The parts of the screen that show denied applications. */
function placesIn({ windows, popups, denied }: Look, target: CaptureTarget, image: CapturedImage): Bounds[] {
  const own = target.kind === 'window' ? target.windowId : undefined;
  const isOnlyWindow = own !== undefined && image.isOnlyWindow === true;
  const shownPopups = isOnlyWindow ? popups.filter(({ transientFor }) => transientFor === own) : popups;
  const shown = isOnlyWindow ? [] : windows.filter(({ id, minimized }) => denied.has(id) && !minimized);
  return [
    ...shown.flatMap((window) => visibleOf(window, windows, denied)),
    ...shownPopups.map(({ bounds }) => bounds),
  ];
}

function visibleOf(
  { bounds, stacking }: DesktopWindow,
  windows: readonly DesktopWindow[],
  denied: ReadonlySet<string>,
): Bounds[] {
  if (bounds === undefined) return [];
  const framed = {
    x: bounds.x - FRAME,
    y: bounds.y - FRAME,
    width: bounds.width + 2 * FRAME,
    height: bounds.height + 2 * FRAME,
  };
  const above = windows.filter(
    (other) =>
      !denied.has(other.id) &&
      !other.minimized &&
      other.isTreeOnly !== true &&
      stacking !== undefined &&
      other.stacking !== undefined &&
      other.stacking > stacking,
  );
  let parts: Bounds[] = [framed];
  for (const { bounds: cover } of above)
    if (cover !== undefined && intersect(framed, cover) !== undefined)
      parts = parts.flatMap((part) => without(part, cover));
  return parts;
}
