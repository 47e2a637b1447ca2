import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { OutputNode } from '../../model/tree/node.ts';
import { outlineLine } from '../../model/tree/outline.ts';
import { quote, reveal, stringifyVisibly } from '../../model/text/untrusted-text.ts';
import { bytesOf, LONGEST_ANSWER_BYTES } from '../../model/tree/budget/whole-nodes.ts';
import {
  completeness,
  completenessOf,
  defineCommand,
  flag,
  Mirror,
  RoleName,
  Target,
  timeout,
  TerminalChoice,
  callLimits,
  windowScope,
} from '../../registry/define.ts';

const METHODS = ['cell', 'exact', 'contains', 'regex', 'role', 'identifier', 'path', 'fuzzy'] as const;

const FoundNode = z.intersection(
  OutputNode,
  z.object({
    within: z
      .array(z.string())
      .describe('Containers of the element, outermost first, such as window "KCalc".'),
    score: z.number().optional().describe('Quality of a fuzzy match, at most 1.'),
    formula: z
      .string()
      .optional()
      .describe('Of a cell found by its name; ends with … if its application reports only the beginning.'),
  }),
);
type FoundNode = z.output<typeof FoundNode>;

export default defineCommand({
  name: 'find',
  group: 'observation',
  kind: 'read',
  title: 'Find elements',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Find elements by name, value, role or identifier, with a reference for every match.',
  description:
    'Compares with names, values and the descriptions of unnamed elements, ignoring case. ' +
    `${mentionParameter('by', 'auto')} stops at the first method with a match. Without a match it lists near misses, which is no error. ` +
    'B2 or A1:C10 finds cells of a spreadsheet, out of view and empty ones too, with values and formulas.',
  input: z
    .object({
      query: z
        .string()
        .default('')
        .describe(`What to look for; optional if ${mentionParameter('role')} is given.`),
      ...windowScope,
      terminal: TerminalChoice.optional(),
      role: RoleName.describe('Role, such as button or textbox.').optional(),
      by: z
        .enum(['auto', ...METHODS])
        .default('auto')
        .describe(
          'How to compare. path: a chain such as window/toolbar/button[2]. cell: B2 or A1:C10 of a spreadsheet.',
        ),
      exact: flag(`Short for ${mentionParameter('by', 'exact')}.`),
      limit: z
        .int()
        .min(1)
        .max(1000)
        .optional()
        .describe('Maximum number of matches: 20 unless given, or all cells of a range.'),
      after: Target.describe(
        'Only the matches after this one: the rest of an answer that was cut.',
      ).optional(),
      whole_tree: flag('Also search off screen: closed menus, scrolled-out rows. Slower.'),
      mirror: Mirror,
      timeout_ms: timeout(5000),
    })
    .refine(({ query, role }) => query !== '' || role !== undefined, {
      path: ['query'],
      error: `is needed unless ${mentionParameter('role')} is given`,
    })
    .refine(({ by, exact }) => !exact || by === 'auto' || by === 'exact', {
      path: ['exact'],
      error: `contradicts ${mentionParameter('by')}; give one of them`,
    })
    .refine(({ by, query }) => by !== 'regex' || isPattern(query), {
      path: ['query'],
      error: 'is not a valid regular expression',
    }),
  positionals: ['query'],
  output: z.object({
    matches: z.array(FoundNode),
    count: z.int().nonnegative(),
    total: z
      .int()
      .nonnegative()
      .describe(
        `Number of matches before ${mentionParameter('limit')} was applied; with ${mentionParameter('after')}, of those after it.`,
      ),
    cut_after: z
      .string()
      .optional()
      .describe(
        `The answer was cut at ${LONGEST_ANSWER_BYTES / 1000} KB, after this match; repeat with ${mentionParameter('after')} and this reference for the rest.`,
      ),
    matched_by: z.enum(METHODS).optional(),
    on_screen_only: z
      .literal(true)
      .optional()
      .describe('Nothing matched, and closed menus and scrolled-out rows were not searched.'),
    near_misses: z.array(FoundNode).optional().describe('Closest elements if nothing matched.'),
    ...completeness,
    cursor: z.string(),
  }),
  examples: [
    { about: 'Anything called "Save"', input: { query: 'Save' } },
    { about: 'The buttons of one application', input: { app: 'KCalc', role: 'button' } },
    {
      about: 'A menu entry whose menu is closed',
      input: { query: 'Preferences', role: 'menuitem', whole_tree: true },
    },
    { about: 'Cells of a spreadsheet', input: { query: 'A1:C10' } },
    {
      about: 'By pattern, the first three only',
      input: { query: '^Chapter [0-9]+$', by: 'regex', limit: 3 },
    },
  ],
  outline: (output) => {
    const lines = output.matches.map((match) => outlineMatch(match, output.matched_by === 'cell'));
    if (lines.length === 0) lines.push('no match');
    else if (output.matched_by === 'fuzzy' && output.matches.every(({ score = 0 }) => score < 1))
      lines.unshift('only similar ones match:');
    if (output.on_screen_only === true)
      lines.push(
        `not searched: closed menus, scrolled-out rows; ${mentionParameter('whole_tree')} searches them`,
      );
    if (output.cut_after !== undefined)
      lines.push(
        `cut at ${LONGEST_ANSWER_BYTES / 1000} KB, ${output.total - output.count} more: ${mentionParameter('after', output.cut_after)}`,
      );
    else if (output.total > output.count)
      lines.push(
        `${output.total - output.count} more: raise ${mentionParameter('limit')}, or narrow with ${mentionParameter('role')}, ${mentionParameter('app')} or ${mentionParameter('window')}`,
      );
    if (output.near_misses !== undefined)
      lines.push('near misses:', ...output.near_misses.map((miss) => `  ${outlineMatch(miss)}`));
    if (!output.complete)
      lines.push(`incomplete: ${(output.incomplete_reasons ?? ['unknown reason']).join('; ')}`);
    lines.push(`cursor ${output.cursor}`);
    return lines.join('\n');
  },
  run: async (ctx, input) => {
    const engine = await ctx.engine({ terminal: input.terminal, targets: [input.window] });
    const result = await engine.find({
      query: input.query === '' ? undefined : input.query,
      by: input.exact ? 'exact' : input.by,
      role: input.role,
      app: input.app,
      window: input.window,
      limit: input.limit,
      after: input.after,
      bytesFor:
        ctx.isData === true
          ? undefined
          : ({ within, ...match }) => bytesOf(printed({ ...match, within: [...within] }, ctx.form)),
      wholeTree: input.whole_tree,
      mirrored: input.mirror,
      ...callLimits(ctx, input),
    });
    return {
      matches: result.matches.map((match) => ({ ...match, within: [...match.within] })),
      count: result.matches.length,
      total: result.total,
      ...(result.cutAfter === undefined ? {} : { cut_after: result.cutAfter }),
      ...(result.matchedBy === undefined ? {} : { matched_by: result.matchedBy }),
      ...(result.matches.length > 0 || input.whole_tree || input.terminal !== undefined
        ? {}
        : { on_screen_only: true as const }),
      ...(result.nearMisses.length === 0
        ? {}
        : { near_misses: result.nearMisses.map((miss) => ({ ...miss, within: [...miss.within] })) }),
      ...completenessOf(result),
      cursor: result.cursor,
    };
  },
});

/** Cells of a sheet are told apart by their names: the table is enough. */
function outlineMatch(match: FoundNode, isNamedCell = false): string {
  const line = outlineLine(match, 0).trimEnd();
  const element = match.formula === undefined ? line : `${line} formula=${quote(match.formula)}`;
  const within = isNamedCell ? match.within.slice(-1) : match.within;
  return within.length === 0
    ? element
    : `${element} in ${within.map((container) => reveal(container)).join(' > ')}`;
}

function printed(match: FoundNode, form: 'json' | 'outline'): string {
  return form === 'json' ? `${stringifyVisibly(match)},` : `${outlineMatch(match)}\n`;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch {
    return false;
  }
}
