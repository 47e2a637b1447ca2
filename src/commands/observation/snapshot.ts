import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { ChangeSince } from '../../model/effects/effect.ts';
import { success } from '../../model/effects/envelope.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Explanation, outlineExplanation } from '../../model/patterns/explanation.ts';
import { OffScreen, OutputNode } from '../../model/tree/node.ts';
import { USUAL_PART_TOKENS, USUAL_TOKENS, USUAL_WHOLE_TOKENS } from '../../model/tree/budget/usual.ts';
import { LONGEST_ANSWER_BYTES } from '../../model/tree/budget/whole-nodes.ts';
import { outlineChanges, renderOutline, scrolledOut } from '../../model/tree/outline.ts';
import { offscreenAnswer } from '../../model/tree/offscreen.ts';
import { LAST_LOOK } from '../../model/refs/reading.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { SURFACE_KINDS } from '../../model/refs/surface.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import { stringifyVisibly } from '../../model/text/untrusted-text.ts';
import {
  completeness,
  completenessOf,
  defineCommand,
  Target,
  flag,
  Mirror,
  timeout,
  TerminalChoice,
  callLimits,
  windowScope,
} from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

type Rest = Omit<Awaited<ReturnType<Awaited<ReturnType<CommandContext['engine']>>['snapshot']>>, 'tree'>;

function usualTokens({
  root,
  whole_tree: wholeTree,
}: {
  readonly root?: string | undefined;
  readonly whole_tree: boolean;
}): number {
  if (wholeTree) return USUAL_WHOLE_TOKENS;
  return root === undefined ? USUAL_TOKENS : USUAL_PART_TOKENS;
}

/** The answer without its tree or changes; a token budget must leave room for it. */
function withoutTree(result: Rest) {
  return {
    app: result.app,
    ...(result.window === undefined ? {} : { window: result.window }),
    ref_count: result.refCount,
    ...completenessOf(result),
    elided: result.elided,
    ...(result.continued === undefined ? {} : { continued: result.continued.map((place) => ({ ...place })) }),
    ...offscreenAnswer(result.offscreen),
    ...(result.explanation === undefined ? {} : { explanation: result.explanation }),
    cursor: result.cursor,
    node_count: result.nodeCount,
    call_count: result.callCount,
  };
}

const OffScreenPlace = OffScreen.extend({
  ref: z.string(),
  role: z.string(),
});

const Output = z
  .object({
    app: z.string(),
    window: WindowSummary.optional(),
    ref_count: z.int().nonnegative(),
    tree: OutputNode.optional().describe('The elements read; absent if changes are reported.'),
    since: z.string().optional().describe('The cursor given as since.'),
    since_forgotten: z
      .literal(true)
      .optional()
      .describe('The state at that cursor is no longer stored: the answer is the whole tree.'),
    changes: z
      .array(ChangeSince)
      .optional()
      .describe('Changes since the cursor, in place of the tree; empty if there were none.'),
    ...completeness,
    elided: z
      .int()
      .nonnegative()
      .describe(
        `Number of elements left out by depth or budget; read one with ${mentionParameter('root')}. With since: changes left out.`,
      ),
    continued: z
      .array(
        z.object({
          root: z.string(),
          after: z.string().optional(),
          elided: z.int().positive().describe('Elements left out there.'),
        }),
      )
      .optional()
      .describe(
        `The answer was cut at ${LONGEST_ANSWER_BYTES / 1000} KB. It goes on in each of these places, read with ${mentionParameter('root')} and ${mentionParameter('after')} and the same other parameters; together they have all that is missing.`,
      ),
    off_screen: z
      .array(OffScreenPlace)
      .optional()
      .describe('Scrolled containers: how many elements lie off screen, by direction.'),
    off_screen_reached_by: z.array(z.string()).optional().describe('Calls that show what is off screen.'),
    explanation: Explanation.optional(),
    cursor: z
      .string()
      .describe(
        `Point in the session at which this was read; snapshot ${mentionParameter('since')} reports later changes.`,
      ),
    node_count: z.int().nonnegative().describe('Number of elements read before filtering.'),
    call_count: z.int().nonnegative().describe('Number of messages sent to the application.'),
  })
  .refine((output) => (output.tree === undefined) !== (output.changes === undefined), {
    error: 'either tree or changes',
  })
  .meta({ oneOf: [{ required: ['tree'] }, { required: ['changes', 'since'] }] });
type Output = z.output<typeof Output>;

function footer(output: {
  readonly complete: boolean;
  readonly incomplete_reasons?: readonly string[] | undefined;
}): string {
  return output.complete ? '' : `incomplete: ${(output.incomplete_reasons ?? ['unknown reason']).join('; ')}`;
}

/** The lines around the tree or the changes. */
function frame(output: Output): string {
  const { since, changes, elided, cursor, off_screen: places, off_screen_reached_by: ways } = output;
  const missing = footer(output);
  const lines = missing === '' ? [] : [missing];
  if (since !== undefined && changes === undefined)
    lines.push(`${since} is no longer stored; this is the whole tree`);
  for (const { root, after, elided: count } of output.continued ?? []) {
    const rest =
      after === undefined
        ? mentionCommand('snapshot', { root })
        : mentionCommand('snapshot', { root, after });
    lines.push(`cut at ${LONGEST_ANSWER_BYTES / 1000} KB, ${count} more: ${rest}`);
  }
  if (changes === undefined && elided > 0)
    lines.push(`${elided} left out: ${mentionCommand('snapshot', { root: 'REF' })} for a REF with +`);
  if (changes !== undefined && elided > 0)
    lines.push(`${elided} more changes left out; read the window with snapshot`);
  else if (changes?.length === 0) lines.push(`no changes since ${since}`);
  if (places !== undefined && ways !== undefined) {
    const told = places.map(({ ref, ...counts }) => `${ref} ${scrolledOut(counts).join(' ')}`);
    lines.push(`off screen in ${told.join(', ')}: ${ways.join(' | ')}`);
  }
  if (output.explanation !== undefined) lines.push(...outlineExplanation(output.explanation));
  return [...lines, `cursor ${cursor}`].join('\n');
}

function outline(output: Output): string {
  const body = output.tree === undefined ? outlineChanges(output.changes ?? []) : renderOutline(output.tree);
  return `${body}${frame(output)}`;
}

interface Place {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly root?: string | undefined;
  readonly terminal?: string | undefined;
  readonly surface?: string | undefined;
}

const PLACES = { e: 'root', w: 'window', t: 'terminal' } as const;

/** The bare argument of the command line names an application; a reference there names what it refers to. */
function withPlace<I extends Place>(input: I): I {
  const { app, window, root, terminal, surface } = input;
  const opened = parseRef(surface ?? '');
  if (opened !== undefined)
    return { ...input, app: undefined, surface: undefined, [PLACES[opened.kind]]: surface };
  // The window itself may be what was cut.
  const whole = parseRef(root ?? '');
  if (whole?.kind === 'w') return { ...input, root: undefined, window: root };
  const ref = parseRef(app ?? '');
  if (ref === undefined || [window, root, terminal].some((place) => place !== undefined)) return input;
  return { ...input, app: undefined, [PLACES[ref.kind]]: app };
}

/** Flags that shape a tree. Changes compare with what was read at the cursor, in the shape it had then. */
const SHAPING = [
  'root',
  'surface',
  'after',
  'max_depth',
  'include_bounds',
  'include_actions',
  'whole_tree',
  'explain',
] as const;

function refuseShaping(input: Readonly<Partial<Record<(typeof SHAPING)[number], unknown>>>): void {
  const given = SHAPING.filter((key) => input[key] !== undefined && input[key] !== false);
  if (given.length === 0) return;
  const flags = given.map((key) => `--${key.replaceAll('_', '-')}`).join(' and ');
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${flags} cannot be combined with ${mentionParameter('since')}.`,
    {
      suggestion: `Leave out ${flags}: the same elements are read again in the same form. For another view run ${mentionCommand('snapshot')} without ${mentionParameter('since')}.`,
    },
  );
}

export default defineCommand({
  name: 'snapshot',
  aliases: ['tree'],
  group: 'observation',
  kind: 'read',
  longRunning: 'call',
  title: 'Read a window',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Read a window as a tree of elements, with a reference (@e1) for each usable one.',
  description: 'Default: the active window, as far as it is on screen.',
  input: z
    .object({
      ...windowScope,
      terminal: TerminalChoice.optional(),
      since: z
        .string()
        .optional()
        .describe(
          `Only the changes since this cursor (c17), in the same window, or since it was shown ${LAST_LOOK}.`,
        ),
      root: Target.describe('Read only below this element, such as a cut one (@e9+).').optional(),
      surface: z
        .string()
        .refine((text) => SURFACE_KINDS.some((kind) => kind === text) || parseRef(text) !== undefined, {
          error: `is neither a reference nor one of ${SURFACE_KINDS.join(', ')}`,
        })
        .optional()
        .describe(`Only what is open over a window: ${SURFACE_KINDS.join(', ')} or a reference.`),
      after: Target.describe(
        'Only what follows this element below the root: the rest of an answer that was cut.',
      ).optional(),
      max_depth: z.int().min(0).max(1000).optional().describe('Levels below the root.'),
      max_tokens: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe(
          `Maximum tokens of the answer; omissions are marked. Default: ${USUAL_TOKENS}, ${USUAL_PART_TOKENS} with ${mentionParameter('root')}, ${USUAL_WHOLE_TOKENS} with ${mentionParameter('whole_tree')}.`,
        ),
      interactive_only: flag('Only usable elements, without text and groups.'),
      compact: flag('No bounds and descriptions; merge groups of one element.'),
      include_bounds: flag('Show bounds in physical screen pixels.'),
      include_actions: flag('Show their actions.'),
      whole_tree: flag('Also read off screen: closed menus, scrolled-out rows. Slower.'),
      explain: flag('Also its kind and next steps.'),
      mirror: Mirror,
      timeout_ms: timeout(5000),
    })
    .refine(({ root, app, window }) => root === undefined || (app === undefined && window === undefined), {
      path: ['root'],
      error: `already identifies the element; ${mentionParameter('app')} and ${mentionParameter('window')} select a window. A locator names its application itself: app:KCalc >> role:toolbar`,
    })
    .refine(
      ({ surface, root, window, terminal }) =>
        surface === undefined || (root === undefined && window === undefined && terminal === undefined),
      {
        path: ['surface'],
        error: `already says what to read, without ${mentionParameter('root')}, ${mentionParameter('window')} and ${mentionParameter('terminal')}`,
      },
    ),
  bare: 'app',
  cli: { interactive_only: { short: 'i' }, compact: { short: 'c' } },
  output: Output,
  examples: [
    { about: 'The active window, in outline form', input: {}, format: 'outline' },
    { about: 'Only the usable elements of one application', input: { app: 'KCalc', interactive_only: true } },
    { about: 'What is scrolled out of a list', input: { root: '@e12', whole_tree: true }, format: 'outline' },
    { about: 'What changed since an earlier answer', input: { since: 'c17' }, format: 'outline' },
    { about: 'The screen of a terminal', input: { terminal: '@t1' }, format: 'outline' },
    { about: 'Only the menu that is open', input: { surface: 'menu' }, format: 'outline' },
    {
      about: 'What kind of screen it is, and what could be done next',
      input: { app: 'Mousepad', explain: true },
      format: 'outline',
    },
    { about: 'Look inside one element that was left out', input: { root: '@e9' } },
    {
      about: 'A large window within a token budget',
      input: { window: '@w2', compact: true, max_tokens: 2000 },
    },
  ],
  outline,
  run: async (ctx, given) => {
    const input = withPlace(given);
    const { since } = input;
    if (since !== undefined) refuseShaping(input);
    const engine = await ctx.engine({ terminal: input.terminal, targets: [input.root, input.window], since });
    // Every answer names a private desktop, so that line counts towards the token budget too.
    const display = ctx.privateDisplay();
    const place = display === undefined ? {} : { private_desktop: display };
    const placeLine = display === undefined ? '' : `\non private desktop ${display}`;
    const json = (output: Record<string, unknown>): string =>
      stringifyVisibly(success('snapshot', { ...place, ...output }));
    const isUsualSize = input.max_tokens === undefined;
    const form = isUsualSize ? ('outline' as const) : ctx.form;
    const isLast = since?.trim() === LAST_LOOK;
    const marks = since === undefined || isLast ? {} : { since, since_forgotten: true as const };
    const request = {
      app: input.app,
      window: input.window,
      root: input.root,
      surface: SURFACE_KINDS.find((kind) => kind === input.surface),
      after: input.after,
      maxDepth: input.max_depth,
      maxTokens: input.max_tokens ?? usualTokens(input),
      isUsualSize,
      interactiveOnly: input.interactive_only,
      compact: input.compact,
      includeBounds: input.include_bounds,
      includeActions: input.include_actions,
      wholeTree: input.whole_tree,
      explain: input.explain,
      mirrored: input.mirror,
      form,
      printedForm: ctx.isData === true ? undefined : ctx.form,
      frame: (rest: Rest, as: 'json' | 'outline') => {
        const around = { ...withoutTree(rest), ...marks };
        return as === 'json' ? json({ ...around, tree: {} }) : `${frame(around)}${placeLine}`;
      },
      ...callLimits(ctx, input),
    };
    if (since === undefined) {
      const result = await engine.snapshot(request);
      return { ...withoutTree(result), tree: result.tree };
    }
    const result = await engine.changes({
      ...request,
      since,
      print: (rest, changes) => {
        const output = { ...withoutTree(rest), since: rest.since, changes: [...changes] };
        return `${form === 'json' ? json(output) : `${outline(output)}${placeLine}`}\n`;
      },
    });
    return result.changes === undefined
      ? { ...withoutTree(result), ...marks, tree: result.tree }
      : { ...withoutTree(result), since: result.since, changes: [...result.changes] };
  },
});
