import { z } from 'zod';
import type { McpTool } from '../../connections/connection.ts';
import { inspectTool } from './inspect-tool.ts';
import type { InspectSetting } from './inspect-tool.ts';
import { app } from './parameters.ts';
import { listWindows as readList } from './read-windows.ts';
import type { PlacedWindow } from './read-windows.ts';

const MOST_WINDOWS = 200;

const Parameters = z.strictObject({
  app: app.describe('Application: its name in any case, or its process id; all when not given.').optional(),
  include_minimized: z.boolean().default(false).describe('Also list minimized windows.'),
});

export function listWindows(setting: InspectSetting): McpTool {
  return inspectTool(
    {
      name: 'list_windows',
      title: 'List windows',
      description: 'List the windows of one application, or of all.',
      parameters: Parameters,
      output: { windows: 'array', count: 'integer', has_more_results: 'boolean' },
      run: async (call, input) => {
        const all = await readList(call, input.app);
        const wanted = all.filter(({ window }) => input.include_minimized || !window.minimized);
        const shown = wanted.slice(0, MOST_WINDOWS);
        const minimized = all.length - wanted.length;
        const guidance = [
          ...(shown.length < wanted.length ? [`Only ${MOST_WINDOWS} windows are shown: give app.`] : []),
          ...(minimized > 0
            ? [`Minimized windows left out: ${minimized}; include_minimized lists them.`]
            : []),
        ];
        return {
          windows: shown.map((placed) => toListed(placed)),
          count: shown.length,
          has_more_results: shown.length < wanted.length,
          ...(guidance.length === 0 ? {} : { guidance: guidance.join(' ') }),
        };
      },
    },
    setting,
  );
}

function toListed({ window, path }: PlacedWindow) {
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
