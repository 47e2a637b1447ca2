import { DeskterityError } from '../../../model/effects/errors.ts';
import type { OutputNode } from '../../../model/tree/node.ts';
import type { WindowSummary } from '../../../model/refs/target.ts';
import type { RunCommand } from './run-command.ts';
import { frontTree, windowsOf } from './app-windows.ts';

/** Errors for an application whose tree cannot be read. */
const UNREADABLE: ReadonlySet<string> = new Set(['ACTION_NOT_SUPPORTED', 'WINDOW_NOT_FOUND']);

/** A summary of the application with this process id. @throws DeskterityError */
export async function appState(run: RunCommand, pid: string): Promise<Readonly<Record<string, unknown>>> {
  const [windows, tree] = await Promise.all([windowsOf(run, pid), readableTree(run, pid)]);
  const focused = tree && deepestFocused(tree);
  const menus = tree && firstOf(tree, 'menubar')?.children?.flatMap(({ name }) => name ?? []);
  return {
    app: windows[0]?.app ?? pid,
    pid: Number(pid),
    windows: windows.map((window) => summary(window)),
    ...(focused === undefined ? {} : { focused_element: facts(focused) }),
    ...(menus === undefined ? {} : { menu_bar: menus }),
  };
}

async function readableTree(run: RunCommand, app: string): Promise<OutputNode | undefined> {
  try {
    return await frontTree(run, app);
  } catch (error) {
    if (error instanceof DeskterityError && UNREADABLE.has(error.code)) return undefined;
    throw error;
  }
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

/** Without its value: the state says where the focus is, not what is typed there. */
function facts({ role, name, ref }: OutputNode): Readonly<Record<string, unknown>> {
  return { role, ...(name === undefined ? {} : { name }), ...(ref === undefined ? {} : { ref }) };
}

function deepestFocused(node: OutputNode): OutputNode | undefined {
  for (const child of node.children ?? []) {
    const found = deepestFocused(child);
    if (found !== undefined) return found;
  }
  return node.states?.includes('focused') === true ? node : undefined;
}

function firstOf(node: OutputNode, role: OutputNode['role']): OutputNode | undefined {
  if (node.role === role) return node;
  for (const child of node.children ?? []) {
    const found = firstOf(child, role);
    if (found !== undefined) return found;
  }
  return undefined;
}
