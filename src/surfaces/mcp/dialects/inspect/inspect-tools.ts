import { z } from 'zod';
import type { McpTool } from '../../connections/connection.ts';
import { inspectTool } from './inspect-tool.ts';
import { app } from './parameters.ts';
import { listWindows as readList, type WindowWithPath } from './read-windows.ts';
import type { ClientCalls } from '../../tools/client-calls.ts';
import { findElement } from './find-element.ts';
import { getFocusedElement } from './get-focused-element.ts';
import { getUiTree } from './get-ui-tree.ts';

const MOST_WINDOWS = 200;

const Parameters = z.strictObject({
  app: app.describe('Application: its name (case-insensitive) or process id. Default: all.').optional(),
  include_minimized: z.boolean().default(false).describe('Also list minimized windows.'),
});

const listWindows = inspectTool({
  name: 'list_windows',
  title: 'List windows',
  description: 'List the windows of one or all applications.',
  parameters: Parameters,
  output: { windows: 'array', count: 'integer', has_more_results: 'boolean' },
  run: async (call, input) => {
    const all = await readList(call, input.app);
    const matching = all.filter(({ window }) => input.include_minimized || !window.minimized);
    const shown = matching.slice(0, MOST_WINDOWS);
    const minimized = all.length - matching.length;
    const guidance = [
      ...(shown.length < matching.length ? [`Only ${MOST_WINDOWS} windows are shown: set app.`] : []),
      ...(minimized > 0 ? [`Minimized windows left out: ${minimized}; include_minimized lists them.`] : []),
    ];
    return {
      windows: shown.map((entry) => toListed(entry)),
      count: shown.length,
      has_more_results: shown.length < matching.length,
      guidance,
    };
  },
});

function toListed({ window, path }: WindowWithPath) {
  const { title, app, pid, bounds, minimized, focused } = window;
  return {
    path,
    title,
    app,
    pid,
    position: bounds === undefined ? null : { x: bounds.x, y: bounds.y },
    size: bounds === undefined ? null : { width: bounds.width, height: bounds.height },
    minimized,
    frontmost: focused,
  };
}

/** The usual deadlines in milliseconds; the settings `mcp.inspect_…_timeout_ms` change them. */
export const INSPECT_TIMEOUTS_MS = { tree: 5000, search: 2000, focused: 1000, windows: 1000 } as const;

export interface InspectOptions {
  /** No structured content and no output schemas. */
  readonly isTextOnly?: boolean;
  readonly timeoutsMs?: Readonly<Record<keyof typeof INSPECT_TIMEOUTS_MS, number>>;
}

/** The toolset `inspect`: four read-only tools that answer in plain JSON. */
export function inspectTools(calls: ClientCalls, options: InspectOptions = {}): McpTool[] {
  const { isTextOnly = false, timeoutsMs = INSPECT_TIMEOUTS_MS } = options;
  const on = (timeoutMs: number) => ({ calls, isTextOnly, timeoutMs });
  return [
    getUiTree(on(timeoutsMs.tree)),
    findElement(on(timeoutsMs.search)),
    getFocusedElement(on(timeoutsMs.focused)),
    listWindows(on(timeoutsMs.windows)),
  ];
}
