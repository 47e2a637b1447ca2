import type { Verdict } from '../../model/policy/verdict.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopPopup, DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ApplicationGuard, GuardParts } from './application-guard.ts';
import { policyDenied } from '../policy-error.ts';
import { blank } from '../../image/blank.ts';
import { without } from './visible-parts.ts';

/** The frame that the window manager draws around a window, in which its title is. */
const FRAME = 48;

interface Look {
  readonly windows: readonly DesktopWindow[];
  readonly popups: readonly DesktopPopup[];
  readonly denied: ReadonlySet<string>;
  /** Why one of them may be anywhere on the screen. */
  readonly unplaced: Unplaced | undefined;
}

interface Unplaced {
  readonly window: DesktopWindow;
  readonly verdict: Verdict;
}

/** Pictures in which windows of denied applications are grey. Those that nobody asked for are marked as such where the user wants to be asked. */
export function guardedCapture(
  desktop: DesktopPort,
  guard: ApplicationGuard,
  consentNow: GuardParts['pictureConsentNow'],
): DesktopPort['capture'] {
  const look = async (options: CallOptions): Promise<Look> => {
    const [windows, listed] = await Promise.all([guard.windows(options), desktop.listPopups(options)]);
    const denied = new Set<string>();
    let unplaced: Unplaced | undefined;
    for (const window of windows) {
      const verdict = await guard.denialOfWindow(window);
      if (verdict === undefined) continue;
      denied.add(window.id);
      if (mayBeAnywhere(window, desktop)) unplaced ??= { window, verdict };
    }
    const popups: DesktopPopup[] = [];
    for (const popup of listed) if (await guard.isDeniedPopup(popup, denied)) popups.push(popup);
    return { windows, popups, denied, unplaced };
  };
  return async (target, options) => {
    const before = await look(options);
    if (target.kind === 'window') await guard.requireAmong(before.windows, target.windowId, 'read');
    const isUnasked = target.consent === undefined && consentNow?.() === 'portal';
    const image = await desktop.capture(isUnasked ? { ...target, isUnasked } : target, options);
    // Windows may have moved meanwhile.
    const looks = [before, await look(options)];
    if (!isOfOneWindow(target, image)) for (const { unplaced } of looks) requirePlaced(unplaced);
    const places = looks.flatMap((one) => placesIn(one, target, image));
    return places.length === 0 ? image : blank(image, places);
  };
}

/** It shows nothing of other windows, wherever they are. */
function isOfOneWindow({ kind }: CaptureTarget, { isOnlyWindow }: CapturedImage): boolean {
  return kind === 'window' && isOnlyWindow === true;
}

/** What the display knows counts; otherwise what the window says. */
function isHidden({ isHidden: known, minimized }: DesktopWindow): boolean {
  return known ?? minimized;
}

/** A display that lists all windows has none besides: what only the tree knows is not on it. */
function mayBeAnywhere(window: DesktopWindow, { capabilities }: DesktopPort): boolean {
  if (window.bounds !== undefined || isHidden(window)) return false;
  return window.isTreeOnly !== true || !capabilities.windows;
}

/** @throws DeskterityError POLICY_DENIED */
function requirePlaced(unplaced: Unplaced | undefined): void {
  if (unplaced === undefined) return;
  const { window, verdict } = unplaced;
  const name = quoteClipped(window.appName);
  throw policyDenied(
    `this picture, because ${name} may be in it, and the display does not tell where its windows are`,
    verdict,
  );
}

/** The parts of the screen that show denied applications. */
function placesIn({ windows, popups, denied }: Look, target: CaptureTarget, image: CapturedImage): Bounds[] {
  const own = target.kind === 'window' ? target.windowId : undefined;
  const isOnlyWindow = isOfOneWindow(target, image);
  const shownPopups = isOnlyWindow ? popups.filter(({ transientFor }) => transientFor === own) : popups;
  const shown = isOnlyWindow ? [] : windows.filter((window) => denied.has(window.id) && !isHidden(window));
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
      // What is not on the screen covers nothing.
      !other.minimized &&
      !isHidden(other) &&
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
