import { isSameBounds } from '../../model/tree/bounds.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { OutputNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import { usableWindow } from '../input/front.ts';
import { hitTest, type Hit } from '../input/hit-test.ts';
import { placeOf, pointInBoxes, REST_MS } from '../input/reach-point.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { observeElement, type ElementObservation } from '../reading/observe-element.ts';
import { withName } from '../refs/target.ts';
import type { RefRequest } from '../requests/reading.ts';
import { waitUntil } from './wait-until.ts';

type Present = Exclude<ElementObservation, { readonly missing: DeskterityError }>;

/**
 * Waits until a click by hand would reach an element: it exists, is on screen and enabled, no dialog blocks its window, it rests, and nothing covers
 * it.
 */
export async function waitUntilActionable(parts: EngineParts, request: RefRequest): Promise<OutputNode> {
  const { ref } = request;
  const what = { is: `${ref} can be acted on`, isNot: `${ref} could not be acted on` };
  return waitUntil(parts, request, what, async (options, note) => {
    const observed = await observeElement(parts, ref, options);
    if (observed.missing) {
      note(observed.missing.message);
      return undefined;
    }
    const { node } = observed.info;
    const why = await obstacle(parts, observed, options);
    note(`${withName(node)} ${why ?? 'can be acted on'}`);
    return why === undefined ? node : undefined;
  });
}

/** What is in the way, as the rest of a sentence; `undefined` if nothing is. */
async function obstacle(
  { desktop, clock }: EngineParts,
  { info, target }: Present,
  options: CallOptions,
): Promise<string | undefined> {
  if (!info.onScreen) return 'is not on screen';
  if (info.allStates.includes('disabled')) return 'is disabled';
  // Nothing covers or moves a line of text.
  if (desktop.screen !== undefined) return undefined;
  const window = await usableWindow(desktop, target.record.window, options).catch(
    (error: unknown): DeskterityError => {
      if (error instanceof DeskterityError && UNUSABLE.has(error.code)) return error;
      throw error;
    },
  );
  if (window instanceof DeskterityError)
    return window.code === 'NOT_ACTIONABLE'
      ? `is blocked: ${window.message}`
      : 'is in a window that was closed';
  if (window.minimized) return 'is in a minimized window';
  await clock.sleep(REST_MS, options.signal);
  const node = await desktop.describe(target.node.handle, options);
  if (!isSameBounds(node.bounds, target.node.bounds)) return 'is moving';
  const point = placeOf(node, window);
  if (point === undefined) return 'is outside what its window shows';
  // The titles of a menu bar switch from one open menu to the other.
  const menus = !isPartOfMenu(node.role);
  const spot = { node, window, point };
  const hit = await hitTest(desktop, spot, { ...options, menus, lists: true });
  return pointInBoxes(spot, hit) === undefined ? 'is scrolled out of view' : covering(hit, window);
}

const UNUSABLE: ReadonlySet<string> = new Set(['NOT_ACTIONABLE', 'WINDOW_NOT_FOUND']);

function covering(hit: Hit, window: DesktopWindow): string | undefined {
  if (hit.kind === 'target' || hit.kind === 'unknown') return undefined;
  if (hit.kind === 'menu') return 'is behind an open menu or list, which takes the next click';
  if (hit.kind === 'element') return 'is covered by another element';
  return hit.window === undefined || hit.window.id === window.id
    ? 'is covered by a popup'
    : `is covered by the window ${quoteClipped(hit.window.title)}`;
}
