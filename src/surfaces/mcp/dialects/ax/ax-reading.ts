import { z } from 'zod';
import { AppSummary, WindowSummary } from '../../../../model/refs/target.ts';
import { Connection } from '../../../../model/sessions/connection.ts';
import { OutputNode } from '../../../../model/tree/node.ts';
import { invalid } from '../invalid-parameter.ts';
import { markApplicationText } from '../../tools/application-text.ts';
import { axValue, compactTree, toAxElement, toAxTree } from './ax-element.ts';
import { STRATEGIES } from './ax-query.ts';
import { axTool, type AxTool } from './ax-tool.ts';

const NAME = 256;
const TEXT = 4000;
/** About 100 KB. */
const TREE_TOKENS = 25_000;

export const app = z.string().min(1).max(NAME);
export const query = z.string().min(1).max(TEXT);
const pair = z.array(z.int());
const region = z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }).partial();

const Granted = z.object({
  granted: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), fix: z.string().optional() }),
  ),
});
const Apps = z.object({ apps: z.array(AppSummary) });
const Tree = z.object({ tree: OutputNode }).loose();
const Attributes = z.object({ value: z.record(z.string(), z.unknown()), ref: z.string().optional() });

/** The tools that read: each with its command, how its parameters are spelled there, and how the answer is spelled here. */
export const AX_READING: readonly AxTool[] = [
  axTool({
    name: 'ax_is_accessible',
    title: 'Check accessibility permissions',
    description:
      'Check if applications can be read and controlled. Must be true before other tools work; suggestion says what to do if not.',
    commands: ['permissions'],
    parameters: z.strictObject({}),
    output: z.object({
      enabled: z.boolean(),
      process_name: z.string().optional(),
      suggestion: z.string().optional(),
    }),
    reads: true,
    run: async (call) => {
      const { granted, checks } = await call.readAsking('permissions', {}, Granted);
      const fixes = checks.flatMap(({ ok, fix }) => (ok || fix === undefined ? [] : [fix]));
      return {
        data: {
          enabled: granted,
          process_name: 'deskterity',
          ...(fixes.length === 0 ? {} : { suggestion: fixes.join(' ') }),
        },
      };
    },
  }),
  axTool({
    name: 'ax_connect',
    title: 'Connect to an application',
    description:
      'Connect to a running application by name or PID, and give it an alias. Tools also accept applications that are not connected.',
    commands: ['connect'],
    parameters: z.strictObject({
      app: app.describe('App name or PID'),
      alias: z
        .string()
        .max(NAME)
        .describe('Optional alias for referencing this app in subsequent calls')
        .optional(),
    }),
    output: z.object({
      connected: z.boolean(),
      app_name: z.string(),
      pid: z.int().optional(),
      bundle_id: z.string().optional(),
      windows: z.int().optional(),
      alias: z.string().optional(),
    }),
    reads: false,
    isIdempotent: true,
    run: async (call, input) => {
      const Connected = Connection.extend({ windows: z.array(WindowSummary) });
      const { app: name, pid, alias, windows } = await call.read('connect', input, Connected);
      return { data: { connected: true, app_name: name, pid, windows: windows.length, alias } };
    },
  }),
  axTool({
    name: 'ax_list_apps',
    title: 'List running applications',
    description: 'List the running applications that have windows or an accessibility tree.',
    commands: ['list-apps'],
    parameters: z.strictObject({}),
    output: z.object({
      apps: z.array(
        z.object({ name: z.string(), pid: z.int(), bundle_id: z.string(), connected: z.boolean() }).partial(),
      ),
    }),
    reads: true,
    run: async (call) => {
      const { apps } = await call.read('list-apps', {}, Apps);
      return {
        data: {
          apps: apps.map(({ name, pid, aliases = [] }) => ({ name, pid, connected: aliases.length > 0 })),
        },
      };
    },
  }),
  axTool({
    name: 'ax_find',
    title: 'Find UI element',
    description:
      'Find the first element of an application that matches. Nothing is found: false, which is no error. element_ref is accepted as query by all tools.',
    commands: ['find', 'snapshot', 'list-windows'],
    parameters: z.strictObject({
      app: app.describe('Connected app name or alias'),
      query: query.describe('Element query: title text, role:title, or compound expression'),
      strategy: z
        .enum(strategies())
        .describe('Search strategy (default: auto -- tries all 7 strategies)')
        .optional(),
    }),
    output: z.object({
      found: z.boolean(),
      method: z.string().describe('Strategy that matched: accessibility or visual').optional(),
      strategy: z.string().describe('Specific strategy: title_exact, role_title, contains, etc.').optional(),
      role: z.string().optional(),
      title: z.string().optional(),
      value: z.string().optional(),
      position: pair.describe('[x, y]').optional(),
      size: pair.describe('[width, height]').optional(),
      enabled: z.boolean().optional(),
      focused: z.boolean().optional(),
      element_ref: z.string().describe('Persistent element reference for subsequent calls').optional(),
    }),
    reads: true,
    run: async (call, { app: of, query: wanted, strategy }) => {
      const { node, strategy: by } = await call.find(of, wanted, strategy);
      if (node === undefined) return { data: { found: false } };
      const place = { found: true, method: 'accessibility', ...(by === undefined ? {} : { strategy: by }) };
      return { data: { ...place, ...toAxElement(node) } };
    },
  }),
  axTool({
    name: 'ax_get_tree',
    title: 'Get element tree hierarchy',
    description:
      'Read the front window of an application as a tree, or what is below root_query. compact gives lines of role:title.',
    commands: ['snapshot', 'find', 'list-windows'],
    parameters: z.strictObject({
      app,
      root_query: query.describe('Optional: start from a specific element').optional(),
      max_depth: z.int().min(0).max(1000).default(5).describe('Maximum tree depth (default: 5)'),
      include_invisible: z.boolean().default(false),
      compact: z.boolean().default(false).describe('Return compact format (role:title only, no attributes)'),
    }),
    reads: true,
    isLong: true,
    run: async (call, { app: of, root_query: root, max_depth, include_invisible, compact }) => {
      const below = root === undefined ? undefined : await call.first(of, root);
      const { tree, window, ...read } = await call.read(
        'snapshot',
        {
          ...(below === undefined ? { app: of } : { root: below }),
          max_depth,
          whole_tree: include_invisible,
          include_bounds: !compact,
          max_tokens: TREE_TOKENS,
          ...(below === undefined ? { explain: true } : {}),
        },
        Tree,
      );
      if (compact) return { text: markApplicationText(compactTree(tree)) };
      const { detected_pattern, detected_state } = read;
      const { data: owner } = WindowSummary.safeParse(window);
      return {
        data: {
          ...(owner === undefined ? {} : { app: owner.app, window: owner.title }),
          ...(detected_pattern === undefined ? {} : { detected_pattern }),
          ...(detected_state === undefined ? {} : { detected_state }),
          tree: toAxTree(tree),
        },
      };
    },
  }),
  axTool({
    name: 'ax_get_attributes',
    title: 'Get all element attributes',
    description: 'Read every accessibility attribute of one element, fresh from the application.',
    commands: ['get', 'find', 'list-windows'],
    parameters: z.strictObject({ app, query }),
    reads: true,
    run: async (call, { app: of, query: wanted }) => {
      const ref = await call.first(of, wanted);
      const { value } = await call.read('get', { property: 'attributes', ref }, Attributes);
      return { data: value };
    },
  }),
  axTool({
    name: 'ax_screenshot',
    title: 'Capture screenshot',
    description:
      'Take a picture of a window or of the whole screen. A region is in screen pixels, or with app in pixels of its window as it is on the screen.',
    commands: ['screenshot', 'list-windows'],
    parameters: z.strictObject({
      app: app.describe('App name (omit for full screen)').optional(),
      window_index: z.int().min(0).max(10_000).default(0).describe('Specific window (default: frontmost)'),
      region: region.describe('Optional sub-region to capture').optional(),
    }),
    reads: true,
    run: async (call, { app: of, window_index: index, region: part }) => {
      const window = of === undefined ? undefined : await call.window(of, index);
      if (part !== undefined)
        return { said: await call.run('screenshot', { region: regionOf(part, window) }) };
      const what = window === undefined ? { screen: true } : { window: window.ref };
      return { said: await call.run('screenshot', what) };
    },
  }),
  axTool({
    name: 'ax_get_value',
    title: 'Get element value',
    description: 'Read the current value of an element. Nothing is found: false, which is no error.',
    commands: ['get', 'find', 'snapshot', 'list-windows'],
    parameters: z.strictObject({ app, query }),
    output: z.object({
      found: z.boolean(),
      value: z.string().optional(),
      role: z.string().optional(),
      title: z.string().optional(),
    }),
    reads: true,
    run: async (call, { app: of, query: wanted }) => {
      const { node, isSimilar } = await call.find(of, wanted);
      if (node?.ref === undefined || isSimilar) return { data: { found: false } };
      // Searches may use what is known from events, and cut long values.
      const { node: now } = await call.find(of, node.ref);
      if (now === undefined) return { data: { found: false } };
      const value = now.value_length === undefined ? axValue(now) : await call.wholeValue(node.ref);
      return {
        data: {
          found: true,
          ...(value === undefined ? {} : { value }),
          role: now.role,
          ...(now.name === undefined ? {} : { title: now.name }),
        },
      };
    },
  }),
  axTool({
    name: 'ax_list_windows',
    title: 'List application windows',
    description: 'List the windows of an application, the focused one first.',
    commands: ['list-windows'],
    parameters: z.strictObject({ app }),
    output: z.object({
      windows: z.array(
        z
          .object({
            index: z.int(),
            title: z.string(),
            position: pair,
            size: pair,
            focused: z.boolean(),
            minimized: z.boolean(),
          })
          .partial(),
      ),
    }),
    reads: true,
    run: async (call, { app: of }) => {
      const windows = await call.windows(of);
      return {
        data: {
          windows: windows.map(({ title, bounds, focused, minimized }, index) => ({
            index,
            title,
            ...(bounds === undefined
              ? {}
              : { position: [bounds.x, bounds.y], size: [bounds.width, bounds.height] }),
            focused,
            minimized,
          })),
        },
      };
    },
  }),
  axTool({
    name: 'ax_wait_idle',
    title: 'Wait for application idle',
    description:
      'Wait until nothing changes in an application for half a second. Changes are told by events: poll_ms has no effect.',
    commands: ['wait'],
    parameters: z.strictObject({
      app,
      timeout_ms: z.int().min(1).max(3_600_000).default(5000),
      poll_ms: z.int().min(1).max(3_600_000).default(100),
    }),
    reads: true,
    isLong: true,
    suggestions: {
      TIMEOUT:
        'Raise timeout_ms. If something in it always moves, look for what you need with ax_find or ax_assert instead.',
      ACTION_NOT_SUPPORTED: 'Look for what you need with ax_find or ax_assert instead.',
    },
    run: async (call, { app: of, timeout_ms }) => ({
      said: await call.run('wait', { app: of, idle: true, timeout_ms }),
    }),
  }),
];

/** The part of the screen that a part of the screen or of a window is. @throws DeskterityError INVALID_ARGUMENT */
function regionOf({ x, y, w, h }: z.output<typeof region>, window: WindowSummary | undefined): string {
  if (x === undefined || y === undefined || w === undefined || h === undefined)
    throw invalid('The region is incomplete.', 'Pass x, y, w and h.');
  if (window === undefined) return [x, y, w, h].join(',');
  const { bounds } = window;
  if (bounds === undefined)
    throw invalid('The place of the window on the screen is not known.', 'Leave out region or app.');
  if (x < 0 || y < 0 || x + w > bounds.width || y + h > bounds.height)
    throw invalid(
      `The region is not inside the window, which is ${bounds.width} x ${bounds.height} pixels.`,
      'Pass a region inside it, or leave out app for one of the screen.',
    );
  return [bounds.x + x, bounds.y + y, w, h].join(',');
}

function strategies() {
  const { auto, exact, contains, regex, role, identifier } = STRATEGIES;
  return [auto, exact, contains, regex, role, identifier, 'xpath'] as const;
}
