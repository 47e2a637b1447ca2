import { blank } from '../../image/blank.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import { intersect } from '../../model/tree/bounds.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { guardPasswords } from './guard-passwords.ts';
import { isSamePlaces, passwordPlaces, type PasswordPlaces } from './password-places.ts';

/** Fields that move meanwhile are looked for again this often; then everywhere that they were is blanked. */
const MOST_TRIES = 3;

/** A picture in which password fields are blanked. */
export interface BlankedImage extends CapturedImage {
  /** Where they are. */
  readonly blanked: readonly Bounds[];
  /** Windows in it that could not be searched for them. */
  readonly unread: readonly DesktopWindow[];
}

/**
 * Captures without what password fields show. They are looked for before and after the picture is taken, so that one that appears, moves or closes in
 * between is blanked, too.
 */
export async function blankedCapture(
  given: DesktopPort,
  target: CaptureTarget,
  options: CallOptions,
): Promise<BlankedImage> {
  const desktop = guardPasswords(given);
  let before = await placesIn(desktop, target, options);
  for (let tries = 1; ; tries += 1) {
    const image = await desktop.capture(target, options);
    const after = await placesIn(desktop, target, options);
    const isLast = tries === MOST_TRIES;
    if (isLast || isSamePlaces(before, after))
      return blankedWith(image, isLast ? [before, after] : [after], before);
    before = after;
  }
}

function blankedWith(
  image: CapturedImage,
  looks: readonly PasswordPlaces[],
  before: PasswordPlaces,
): BlankedImage {
  const { origin, width, height, scale } = image;
  const area = { ...origin, width: Math.ceil(width / scale), height: Math.ceil(height / scale) };
  const boxes = looks.flatMap((look) => look.boxes).filter((box) => intersect(box, area) !== undefined);
  const unread = new Map(
    [before, ...looks].flatMap((look) => look.unread.map((one) => [one.id, one] as const)),
  );
  return {
    ...blank(image, boxes),
    blanked: boxes,
    unread: [...unread.values()].filter(({ bounds }) => bounds === undefined || intersect(bounds, area)),
  };
}

async function placesIn(
  desktop: DesktopPort,
  target: CaptureTarget,
  options: CallOptions,
): Promise<PasswordPlaces> {
  const windows = (await desktop.listWindows(options)).filter(
    // Of denied ones the picture shows nothing.
    ({ minimized, isDenied }) => !minimized && isDenied !== true,
  );
  const shown =
    target.kind === 'window'
      ? windows.filter(({ id, transientFor }) => id === target.windowId || transientFor === target.windowId)
      : target.kind === 'region'
        ? windows.filter(({ bounds }) => bounds === undefined || intersect(bounds, target.bounds))
        : windows;
  // A window is captured as if nothing covered it.
  const placed = target.kind === 'window' ? shown.map((window) => ({ ...window, stacking: 0 })) : shown;
  return passwordPlaces(desktop, placed, options);
}
