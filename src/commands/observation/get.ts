import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { Bounds } from '../../model/tree/bounds.ts';
import { STATES } from '../../model/tree/state.ts';
import {
  App,
  defineCommand,
  Target,
  TerminalChoice,
  timeout,
  WindowSelector,
  callLimits,
} from '../../registry/define.ts';

const OF_ELEMENT = ['text', 'value', 'bounds', 'role', 'states', 'attributes'] as const;
const OF_WINDOW = ['title', 'tree-stats'] as const;

const TreeStats = z.object({
  app: z.string(),
  window: z.string().optional(),
  nodes: z.int().nonnegative(),
  interactive: z.int().nonnegative(),
  named: z.int().nonnegative(),
  max_depth: z.int().nonnegative(),
  by_role: z.record(z.string(), z.int().nonnegative()),
  complete: z.boolean(),
  calls: z.int().nonnegative(),
  duration_ms: z.number().nonnegative(),
});

const Property = z
  .enum([...OF_ELEMENT, ...OF_WINDOW])
  .describe('What to read: title and tree-stats of a window, the others of an element.');

export default defineCommand({
  name: 'get',
  group: 'observation',
  kind: 'read',
  title: 'Read a property',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Read one property of an element or a window.',
  description: '"value" is null if the element has none; bounds are in physical screen pixels.',
  input: z
    .object({
      property: Property,
      ref: Target.optional(),
      app: App.describe('For title and tree-stats.').optional(),
      window: WindowSelector.describe('For title and tree-stats. Default: the active one.').optional(),
      terminal: TerminalChoice.optional(),
      timeout_ms: timeout(5000),
    })
    .refine(({ property, ref, terminal }) => isOfWindow(property) || (ref ?? terminal) !== undefined, {
      path: ['ref'],
      error: 'is required for this property, such as @e7',
    })
    .refine(({ property, ref }) => !isOfWindow(property) || ref === undefined, {
      path: ['ref'],
      error: `is not accepted for title and tree-stats; they take ${mentionParameter('app')} and ${mentionParameter('window')}`,
    })
    .refine(
      ({ property, app, window }) => isOfWindow(property) || (app === undefined && window === undefined),
      {
        path: ['ref'],
        error: `already identifies the element; ${mentionParameter('app')} and ${mentionParameter('window')} are only for title and tree-stats`,
      },
    ),
  positionals: ['property', 'ref'],
  output: z.object({
    property: Property,
    ref: z.string().optional(),
    value: z.union([
      z.string(),
      z.null(),
      Bounds,
      z.array(z.enum(STATES)),
      TreeStats,
      z.record(z.string(), z.unknown()),
    ]),
  }),
  examples: [
    { about: 'Just the content of a field', input: { property: 'value', ref: '@e4' }, format: 'text' },
    { about: 'The position of an element on the screen', input: { property: 'bounds', ref: '@e4' } },
    {
      about: 'Everything on the screen of a terminal',
      input: { property: 'text', ref: '@t1' },
      format: 'text',
    },
    { about: 'The value of the field with a label', input: { property: 'value', ref: 'label:"Name"' } },
    { about: 'The title of the active window', input: { property: 'title' } },
    { about: 'The size of an application’s tree', input: { property: 'tree-stats', app: 'KCalc' } },
  ],
  outline: ({ property, value }) => `${property}: ${bare(value)}`,
  text: ({ value }) => bare(value),
  page: ({ value }) => [{ kind: 'verbatim', text: bare(value) }],
  run: async (ctx, input) => {
    const engine = await ctx.engine({ terminal: input.terminal, targets: [input.ref, input.window] });
    const call = callLimits(ctx, input);
    const scope = { app: input.app, window: input.window };
    if (input.property === 'title')
      return { property: input.property, value: await engine.title({ ...scope, ...call }) };
    if (input.property === 'tree-stats')
      return { property: input.property, value: { ...(await engine.treeStats({ ...scope, ...call })) } };

    const { node, text, attributes, allStates } = await engine.describe({
      ref: input.ref ?? WHOLE_TERMINAL,
      ...call,
    });
    const values = {
      text: text ?? node.name ?? '',
      value: node.value ?? null,
      bounds: node.bounds ?? null,
      role: node.role,
      states: [...allStates],
      attributes: { ...attributes },
    };
    return { property: input.property, ref: node.ref, value: values[input.property] };
  },
});

/** As a locator. */
const WHOLE_TERMINAL = 'role:terminal';

function isOfWindow(property: z.output<typeof Property>): boolean {
  return property === 'title' || property === 'tree-stats';
}

function bare(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(' ');
  return JSON.stringify(value);
}
