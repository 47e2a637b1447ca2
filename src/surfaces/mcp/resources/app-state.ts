import { DeskterityError } from '../../../model/effects/errors.ts';
import { frontFacts } from '../../../model/patterns/front-facts.ts';
import type { WindowSummary } from '../../../model/refs/target.ts';
import type { RunCommand } from './run-command.ts';
import { frontTree, windowsOf } from './app-windows.ts';

/** Errors for an application whose tree cannot be read. */
const UNREADABLE: ReadonlySet<string> = new Set(['ACTION_NOT_SUPPORTED', 'WINDOW_NOT_FOUND']);

/** A summary of the application with this process id. @throws DeskterityError */
export async function appState(run: RunCommand, pid: string): Promise<Readonly<Record<string, unknown>>> {
  const [windows, front] = await Promise.all([windowsOf(run, pid), readableFront(run, pid)]);
  return {
    app: windows[0]?.app ?? pid,
    pid: Number(pid),
    windows: windows.map((window) => summary(window)),
    ...(front?.tree === undefined ? {} : frontFacts(front.tree)),
    ...explained(front),
  };
}

/** What is known of the front window; only that it does not answer, if it does not. */
type Front = Partial<Awaited<ReturnType<typeof frontTree>>> & { readonly isBusy?: boolean };

async function readableFront(run: RunCommand, app: string): Promise<Front | undefined> {
  try {
    return await frontTree(run, app);
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    if (UNREADABLE.has(error.code)) return undefined;
    if (error.code === 'APP_UNRESPONSIVE') return { isBusy: true };
    throw error;
  }
}

/** The first pattern by its name, and all of them. */
function explained(front: Front | undefined): Readonly<Record<string, unknown>> {
  if (front?.isBusy === true) return { detected_state: 'busy' };
  if (front?.explanation === undefined) return {};
  const { state, patterns, suggestions } = front.explanation;
  const [first] = patterns;
  return {
    detected_state: state,
    ...(first === undefined ? {} : { detected_pattern: first.pattern }),
    patterns,
    suggestions,
  };
}

function summary({
  ref,
  title,
  focused,
  minimized,
  bounds,
}: WindowSummary): Readonly<Record<string, unknown>> {
  return {
    title,
    focused,
    ...(minimized ? { minimized } : {}),
    ...(bounds === undefined ? {} : { position: [bounds.x, bounds.y], size: [bounds.width, bounds.height] }),
    ref,
  };
}
