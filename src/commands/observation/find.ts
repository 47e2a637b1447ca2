import { mentionKey, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { OutputNode } from '../../model/tree/node.ts';
import { outlineLine } from '../../model/tree/outline.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import {
  App,
  completeness,
  completenessOf,
  defineCommand,
  flag,
  RoleName,
  timeout,
  TerminalChoice,
  WindowSelector,
} from '../../registry/define.ts';

const METHODS = ['exact', 'contains', 'regex', 'role', 'identifier', 'path', 'fuzzy'] as const;

const FoundNode = z.intersection(
  OutputNode,
  z.object({
    within: z.array(z.string()).describe('What the element is in, outermost first, such as window "KCalc".'),
    score: z.number().optional().describe('How close a fuzzy match is, up to 1.'),
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
    'The query is compared with names and values, and with the description of elements that have no name, without regard to case. ' +
    `${mentionParameter('by', 'auto')} tries all ways in their order and stops at the first that finds something; "${mentionKey('matched_by')}" says which it was. No match is not an error: the answer is empty, with near misses where there are any.`,
  input: z
    .object({
      query: z
        .string()
        .default('')
        .describe(`What to look for; may be left out when ${mentionParameter('role')} is given.`),
      app: App.optional(),
      window: WindowSelector.optional(),
      terminal: TerminalChoice.optional(),
      role: RoleName.describe(
        'Only elements of this role (button, textbox, …; native names work too).',
      ).optional(),
      by: z
        .enum(['auto', ...METHODS])
        .default('auto')
        .describe(
          'How the query is compared. path is a chain of roles and names, such as window/toolbar/button[2].',
        ),
      exact: flag(`The whole text must match; short for ${mentionParameter('by')} exact.`),
      limit: z.int().min(1).max(1000).default(20).describe('Most matches to return.'),
      whole_tree: flag('Also search what is not on screen: closed menus, scrolled-out rows. Slower.'),
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
      .describe(`Matches there were before ${mentionParameter('limit')}.`),
    matched_by: z.enum(METHODS).optional(),
    near_misses: z.array(FoundNode).optional().describe('What came closest when nothing matched.'),
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
    { about: 'By pattern, first three only', input: { query: '^Chapter [0-9]+$', by: 'regex', limit: 3 } },
  ],
  outline: (output) => {
    const lines = output.matches.map((match) => outlineMatch(match));
    if (lines.length === 0) lines.push('no match');
    if (output.total > output.count)
      lines.push(
        `${output.total - output.count} more: raise ${mentionParameter('limit')}, or narrow with ${mentionParameter('role')}, ${mentionParameter('app')} or ${mentionParameter('window')}`,
      );
    if (output.near_misses !== undefined)
      lines.push('near misses:', ...output.near_misses.map((miss) => `  ${outlineMatch(miss)}`));
    if (!output.complete)
      lines.push(`incomplete: ${(output.incomplete_reasons ?? ['unknown reason']).join('; ')}`);
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
      wholeTree: input.whole_tree,
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
    return {
      matches: result.matches.map((match) => ({ ...match, within: [...match.within] })),
      count: result.matches.length,
      total: result.total,
      ...(result.matchedBy === undefined ? {} : { matched_by: result.matchedBy }),
      ...(result.nearMisses.length === 0
        ? {}
        : { near_misses: result.nearMisses.map((miss) => ({ ...miss, within: [...miss.within] })) }),
      ...completenessOf(result),
      cursor: result.cursor,
    };
  },
});

function outlineMatch(match: FoundNode): string {
  const element = outlineLine(match, 0).trimEnd();
  return match.within.length === 0
    ? element
    : `${element} in ${match.within.map((container) => reveal(container)).join(' > ')}`;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch {
    return false;
  }
}
