import type { ElementRecord } from '../../model/refs/ref-document.ts';
import type { CallOptions, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import { goesBy } from '../refs/window-identity.ts';
import type { Reading } from './window-diff.ts';

/** A window with more elements than this is compared only in part: what came or went there cannot be told. */
const MAX_COMPARED_NODES = 3000;

/** Lines that may scroll out of a screen of text between two looks and still be told of. */
const MOST_SCROLLED_OUT = 200;

/** What is around an element at one moment; what cannot be read is absent, never invented. */
export interface ElementContext {
  readonly windows: readonly DesktopWindow[] | undefined;
  /** The element's own window. */
  readonly window: DesktopWindow | undefined;
  readonly tree: Reading | undefined;
  /** The application's process. */
  readonly pid: number | undefined;
}

/** @param mayRead throws where the window is not worth reading, from what is known of all windows by then */
export async function readElementContext(
  desktop: DesktopPort,
  record: Pick<ElementRecord, 'app' | 'window'>,
  options: CallOptions,
  mayRead?: (window: DesktopWindow, windows: readonly DesktopWindow[]) => void,
): Promise<ElementContext> {
  const windows = await desktop.listWindows(options).catch(() => undefined);
  const own = windows?.find((window) => goesBy(window, record.window));
  // A window that has closed cannot say whose it was, but others of its application can.
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
