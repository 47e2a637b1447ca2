import { z } from 'zod';
import { parseRole } from '../../../../model/tree/role.ts';
import { LONGEST_ANSWER_BYTES } from '../../../../model/tree/budget/whole-nodes.ts';
import {
  eachNode,
  ELEMENTS_BYTES,
  firstByLevel,
  isCut,
  keepRoles,
  toElement,
  type PathNode,
} from './element.ts';
import { inspectTool } from './inspect-tool.ts';
import { app, attributes, parseAttribute, role } from './parameters.ts';
import {
  listWindows,
  ownerOf,
  readWindows,
  type WindowWithPath,
  type WindowReading,
} from './read-windows.ts';

const MOST_ELEMENTS = 500;
const DEEPEST = 100;

const Parameters = z.strictObject({
  app,
  depth: z
    .int()
    .min(1)
    .max(DEEPEST)
    .default(3)
    .describe('Number of levels to show; the windows are level 1.'),
  include_attributes: attributes.optional(),
  filter_roles: z
    .array(role)
    .min(1)
    .max(100)
    .describe('Show only elements of these roles; their paths show where they are.')
    .optional(),
});

export const getUiTree = inspectTool({
  name: 'get_ui_tree',
  title: 'UI tree',
  description: `Read the windows of an application as a tree of at most ${MOST_ELEMENTS} elements. A path such as window[0]/toolbar[1]/button[2] numbers siblings of the same role from 0. has_more_results is true if something was left out; guidance then says how to get it.`,
  parameters: Parameters,
  output: {
    pid: ['integer', 'null'],
    depth: 'integer',
    tree: 'object',
    element_count: 'integer',
    has_more_results: 'boolean',
  },
  run: async (call, input) => {
    const { include_attributes, filter_roles, depth } = input;
    const requested = include_attributes && new Set(include_attributes.flatMap(named));
    const windows = await listWindows(call, input.app);
    const view = { max_depth: depth - 1, include_actions: requested?.has('actions') ?? true };
    const readings = new Map<string, WindowReading>();
    for await (const reading of readWindows(call, windows, view)) readings.set(reading.path, reading);

    const whole = rootOf(windows, readings, input.app);
    const roles = filter_roles && new Set(filter_roles.flatMap((name) => parseRole(name) ?? []));
    const tree = roles === undefined ? whole : { ...whole, children: keepRoles(whole.children, roles) };
    const most = { elements: MOST_ELEMENTS, bytes: ELEMENTS_BYTES };
    const { kept, isFull } = firstByLevel(tree, most, requested);
    const guidance = [
      ...(isFull
        ? [
            `Only the first ${kept.size} elements are shown${kept.size < MOST_ELEMENTS ? `, as an answer has at most ${LONGEST_ANSWER_BYTES / 1000} KB` : ''}: reduce depth, set filter_roles or include_attributes, or use find_element.`,
          ]
        : []),
      ...guidanceOn(windows, readings, depth),
    ];
    return {
      ...ownerOf(windows, input.app),
      depth,
      tree: toElement(tree, { attributes: requested, kept }),
      element_count: kept.size,
      has_more_results: guidance.length > 0,
      guidance,
    };
  },
});

function named(name: string) {
  return parseAttribute(name) ?? [];
}

/** The application with its windows. A window that could not be read has only its title. */
function rootOf(
  windows: readonly WindowWithPath[],
  readings: ReadonlyMap<string, WindowReading>,
  app: string | number,
): PathNode {
  const children = windows
    .map(({ window, path }): PathNode => {
      const { title, bounds } = window;
      return (
        readings.get(path)?.tree ?? {
          node: { role: 'window', name: title, bounds, elided_reason: 'error' },
          path,
          children: [],
        }
      );
    })
    .toSorted((a, b) => indexOf(a.path) - indexOf(b.path));
  return {
    node: { role: 'application', name: windows[0]?.window.app ?? String(app) },
    path: '/',
    children,
  };
}

function indexOf(path: string): number {
  return Number(/\d+/.exec(path)?.[0]);
}

function guidanceOn(
  windows: readonly WindowWithPath[],
  readings: ReadonlyMap<string, WindowReading>,
  depth: number,
): string[] {
  const unread = windows.filter(({ path }) => !readings.has(path)).map(({ path }) => path);
  const partial = [...readings.values()].filter(({ isComplete }) => !isComplete).map(({ path }) => path);
  const reasons = new Set<string>();
  for (const reading of readings.values())
    for (const { node } of eachNode(reading.tree))
      if (isCut(node)) reasons.add(node.elided_reason ?? 'other');
  const isDeep = reasons.delete('depth');
  return [
    ...(isDeep ? [`There is more below level ${depth}: increase depth.`] : []),
    ...(unread.length === 0 ? [] : [`Not read: ${unread.join(', ')}.`]),
    ...(partial.length === 0 ? [] : [`Partially read: ${partial.join(', ')}; call again.`]),
    ...(reasons.size > 0
      ? [
          'Elements with has_more_children have more children than the application returns at once: use find_element.',
        ]
      : []),
  ];
}
