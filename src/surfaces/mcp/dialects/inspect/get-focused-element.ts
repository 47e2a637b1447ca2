import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { OutputNode } from '../../../../model/tree/node.ts';
import { withPaths, toElement, type PathNode } from './element.ts';
import type { InspectCall } from './inspect-call.ts';
import { inspectTool } from './inspect-tool.ts';
import { app } from './parameters.ts';
import { listWindows, Snapshot } from './read-windows.ts';

const Parameters = z.strictObject({
  app: app
    .describe('Application: its name (case-insensitive) or process id. Default: the active one.')
    .optional(),
});
/** Input that selects an application. */
type Scope = Readonly<Record<string, string>>;
const Focused = z.object({ element: z.union([OutputNode, z.null()]) });

export const getFocusedElement = inspectTool({
  name: 'get_focused_element',
  title: 'Focused element',
  description:
    'Read the element that has keyboard focus, on the desktop or in one application. If nothing has focus, element is null; that is not an error.',
  parameters: Parameters,
  output: { pid: 'integer', element: ['object', 'null'] },
  run: async (call, input) => {
    const scope: Scope = input.app === undefined ? {} : { app: String(input.app) };
    const [windows, read] = await Promise.all([listWindows(call, input.app), readActiveWindow(call, scope)]);
    const owner = read?.window;
    const ownerFields = owner === undefined ? {} : { app: owner.app, pid: owner.pid };
    const path = windows.find(({ window }) => window.id === owner?.id)?.path ?? 'window[0]';
    const focused =
      read && (deepestFocused(withPaths(read.tree, path)) ?? (await hiddenFocus(call, scope, path)));
    if (focused !== undefined) return { ...ownerFields, element: toElement(focused, { kept: new Set() }) };
    return {
      ...ownerFields,
      element: null,
      message:
        input.app === undefined
          ? 'No element has keyboard focus.'
          : 'No element of this application has keyboard focus.',
    };
  },
});

/** `undefined` if no window is open. */
async function readActiveWindow(
  call: InspectCall,
  scope: Scope,
): Promise<z.output<typeof Snapshot> | undefined> {
  try {
    return await call.run(
      'snapshot',
      { ...scope, include_bounds: true, include_actions: true, max_tokens: 1_000_000 },
      Snapshot,
    );
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'WINDOW_NOT_FOUND') return undefined;
    throw error;
  }
}

function deepestFocused(entry: PathNode): PathNode | undefined {
  for (const child of entry.children) {
    const found = deepestFocused(child);
    if (found !== undefined) return found;
  }
  return entry.node.states?.includes('focused') === true ? entry : undefined;
}

/** A focused element that trees omit, such as an empty drawing area: of its path only the window is known. */
async function hiddenFocus(
  call: InspectCall,
  scope: Scope,
  windowPath: string,
): Promise<PathNode | undefined> {
  const { element } = await call.run('focused', scope, Focused);
  return element === null
    ? undefined
    : { node: element, path: `${windowPath}//${element.role}`, children: [] };
}
