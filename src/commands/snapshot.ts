import { z } from 'zod';
import { OutputNode } from '../model/node.ts';
import { success } from '../model/envelope.ts';
import { renderOutline } from '../model/outline.ts';
import { WindowSummary } from '../model/target.ts';
import { stringifyVisibly } from '../model/untrusted-text.ts';
import {
  App,
  completeness,
  completenessOf,
  defineCommand,
  ElementRef,
  flag,
  timeout,
  WindowSelector,
} from '../registry/define.ts';
import type { CommandContext } from '../registry/define.ts';

type Rest = Omit<Awaited<ReturnType<Awaited<ReturnType<CommandContext['engine']>>['snapshot']>>, 'tree'>;

/** The answer but for its tree; also what a token budget must leave room for. */
function withoutTree(result: Rest) {
  return {
    app: result.app,
    ...(result.window === undefined ? {} : { window: result.window }),
    ref_count: result.refCount,
    ...completenessOf(result),
    elided: result.elided,
    cursor: result.cursor,
    node_count: result.nodeCount,
    call_count: result.callCount,
  };
}

function footer(output: {
  readonly complete: boolean;
  readonly incomplete_reasons?: readonly string[] | undefined;
}): string {
  return output.complete ? '' : `incomplete: ${(output.incomplete_reasons ?? ['unknown reason']).join('; ')}`;
}

export default defineCommand({
  name: 'snapshot',
  aliases: ['tree'],
  group: 'observation',
  kind: 'read',
  summary: 'Read a window as a tree of elements, with a reference (@e1) for each one that can be used.',
  description:
    'Without --app and --window the active window is read. Only what is on screen is read unless --whole-tree is given. ' +
    'References stay valid as long as their elements live and are never given to another element.',
  input: z.object({
    app: App.optional(),
    window: WindowSelector.optional(),
    root: ElementRef.describe(
      'Read only what is below this element, such as one that an earlier snapshot left out (@e9).',
    ).optional(),
    max_depth: z
      .int()
      .min(0)
      .max(1000)
      .optional()
      .describe('Levels below the root to show; all when not given.'),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        'Upper bound for the answer in tokens (o200k); what does not fit is left out and marked. No bound when not given.',
      ),
    interactive_only: flag('Show only elements that can be used, without the text and groups around them.'),
    compact: flag('Leave out bounds and descriptions, and merge groups that hold a single element.'),
    include_bounds: flag('Show position and size of each element, in physical screen pixels.'),
    include_actions: flag('Show the names of the actions that each element offers.'),
    whole_tree: flag(
      'Also read what is not on screen: closed menus, scrolled-out rows, hidden tabs. Slower.',
    ),
    timeout_ms: timeout(5000),
  }),
  cli: { interactive_only: { short: 'i' }, compact: { short: 'c' } },
  output: z.object({
    app: z.string(),
    window: WindowSummary.optional(),
    ref_count: z.int().nonnegative(),
    tree: OutputNode,
    ...completeness,
    elided: z.int().nonnegative().describe('Elements left out by depth or budget; read one with --root.'),
    cursor: z.string().describe('The point in the session’s time at which this was read.'),
    node_count: z.int().nonnegative().describe('Elements read before filtering.'),
    call_count: z.int().nonnegative().describe('Messages sent to the application.'),
  }),
  examples: [
    { about: 'The active window, in the short form', input: {}, format: 'outline' },
    { about: 'Only what can be used, of one application', input: { app: 'KCalc', interactive_only: true } },
    { about: 'Look inside one element that was left out', input: { root: '@e9' } },
    {
      about: 'A large window within a token budget',
      input: { window: '@w2', compact: true, max_tokens: 2000 },
    },
  ],
  outline: (output) => `${renderOutline(output.tree)}${footer(output)}`,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const result = await engine.snapshot({
      app: input.app,
      window: input.window,
      root: input.root,
      maxDepth: input.max_depth,
      maxTokens: input.max_tokens,
      interactiveOnly: input.interactive_only,
      compact: input.compact,
      includeBounds: input.include_bounds,
      includeActions: input.include_actions,
      wholeTree: input.whole_tree,
      form: ctx.form,
      frame: (rest) =>
        ctx.form === 'json'
          ? stringifyVisibly(success('snapshot', { ...withoutTree(rest), tree: {} }))
          : footer(withoutTree(rest)),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
    return { ...withoutTree(result), tree: result.tree };
  },
});
