import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { OutputNode } from '../../../../model/tree/node.ts';
import { WindowSummary } from '../../../../model/refs/target.ts';
import { withPaths, type PathNode } from './element.ts';
import type { InspectCall } from './inspect-call.ts';

const Windows = z.object({ windows: z.array(WindowSummary) });

export const Snapshot = z.object({
  window: WindowSummary.optional(),
  tree: OutputNode,
  complete: z.boolean(),
});

/** A window and its path in the application. */
export interface WindowWithPath {
  readonly window: WindowSummary;
  readonly path: string;
}

/** Windows in the command's order, minimized ones included. @throws DeskterityError */
export async function listWindows(
  call: InspectCall,
  app?: string | number,
): Promise<readonly WindowWithPath[]> {
  const { windows } = await call.run(
    'list-windows',
    { include_minimized: true, ...(app === undefined ? {} : { app: String(app) }) },
    Windows,
  );
  const counts = new Map<number, number>();
  const paths = new Map<string, string>();
  // By id, because the stacking order changes all the time.
  for (const { id, pid } of windows.toSorted(byId)) {
    const index = counts.get(pid) ?? 0;
    counts.set(pid, index + 1);
    paths.set(id, `window[${index}]`);
  }
  return windows.map((window) => ({ window, path: paths.get(window.id) ?? '' }));
}

/** The application of these windows, as far as it is known. */
export function ownerOf([first]: readonly WindowWithPath[], app: string | number) {
  const pid = first?.window.pid ?? (typeof app === 'number' ? app : null);
  return { app: first?.window.app ?? String(app), pid };
}

function byId(a: WindowSummary, b: WindowSummary): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}

export interface WindowReading extends WindowWithPath {
  readonly tree: PathNode;
  /** Whether the application returned everything on screen. */
  readonly isComplete: boolean;
}

/**
 * Reads windows while there is time, the active one first. Skips windows that cannot be read.
 * @throws DeskterityError if none can be read
 */
export async function* readWindows(
  call: InspectCall,
  windows: readonly WindowWithPath[],
  view: { readonly max_depth?: number; readonly include_actions: boolean },
): AsyncGenerator<WindowReading> {
  let failure: DeskterityError | undefined;
  let readings = 0;
  for (const entry of windows.toSorted((a, b) => rank(b.window) - rank(a.window))) {
    if (readings > 0 && call.isOver) return;
    try {
      const { ref } = entry.window;
      const read = await call.run(
        'snapshot',
        { ...view, window: ref, include_bounds: true, max_tokens: 1_000_000 },
        Snapshot,
      );
      readings += 1;
      yield { ...entry, tree: withPaths(read.tree, entry.path), isComplete: read.complete };
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      failure ??= error;
    }
  }
  if (readings === 0 && failure !== undefined) throw failure;
}

function rank({ focused, accessible, minimized }: WindowSummary): number {
  return (focused ? 4 : 0) + (accessible ? 2 : 0) + (minimized ? 0 : 1);
}
