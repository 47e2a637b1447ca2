import type { ElementRecord } from '../../model/refs/ref-document.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { TreeRequest } from '../../ports/desktop/elements.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { hasWindowKey } from '../refs/window-identity.ts';
import type { Reading } from './window-diff.ts';

/** Larger windows are compared only in part: which elements appeared or disappeared there is unknown. */
const MAX_COMPARED_NODES = 3000;

/** Lines that may scroll out of a text screen between two readings and still be reported. */
const MOST_SCROLLED_OUT = 200;

/** The surroundings of an element at one moment; what cannot be read is absent. */
export interface ElementContext {
  readonly windows: readonly DesktopWindow[] | undefined;
  /** The element's own window. */
  readonly window: DesktopWindow | undefined;
  readonly tree: Reading | undefined;
  /** The application's process. */
  readonly pid: number | undefined;
}

/**
 * @param options whether the tree may rest on what is known of it, as `TreeRequest` says
 * @param mayRead throws if the window must not be read, judging by the list of windows; then it is an error if the list cannot be read, or if it
 * does not have the window
 */
export async function readElementContext(
  desktop: DesktopPort,
  record: Pick<ElementRecord, 'app' | 'window'>,
  options: CallOptions & Pick<TreeRequest, 'mirrored' | 'knownPlaces'>,
  mayRead?: (window: DesktopWindow, windows: readonly DesktopWindow[]) => void,
): Promise<ElementContext> {
  const listing = desktop.listWindows(options);
  const windows = await (mayRead === undefined ? listing.catch(() => undefined) : listing);
  const own = windows?.find((window) => hasWindowKey(window, record.window));
  // A closed window no longer has a process id, but other windows of its application do.
  const pid = (own ?? windows?.find((window) => window.appId === record.app))?.pid;
  if (own && windows) mayRead?.(own, windows);
  if (!own?.root) return { windows, window: own, tree: undefined, pid };
  const tree = await desktop
    .readTree({
      ...options,
      root: own.root,
      wholeTree: false,
      maxNodes: MAX_COMPARED_NODES,
      includeActions: false,
      scrolledOut: MOST_SCROLLED_OUT,
    })
    .catch(() => undefined);
  return { windows, window: own, tree, pid };
}
