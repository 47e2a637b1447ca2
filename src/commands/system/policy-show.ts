import { z } from 'zod';
import { SECURITY_MODES } from '../../model/policy/verdict.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['policy', 'show'],
  group: 'system',
  kind: 'admin',
  title: 'Policy',
  isReadOnly: true,
  surfaces: ['cli', 'library'],
  summary: 'Show the security mode and the rules about what is allowed and denied.',
  description:
    'Rules come from policy.toml in your configuration folder, from .deskterity/policy.toml of the project, from DESKTERITY_SECURITY_MODE, DESKTERITY_ALLOWED_APPS and DESKTERITY_DENIED_APPS, which can only tighten them, and from the built-in list of programs that hold or ask for passwords. Works without a desktop, and says what is wrong with a file that cannot be used.',
  input: z.object({}),
  output: z.object({
    mode: z.enum(SECURITY_MODES),
    problem: z.string().optional().describe('Why the rules cannot be read: commands are refused meanwhile.'),
    unattended: z
      .object({ name: z.string(), from: z.string(), until: z.string() })
      .optional()
      .describe('What was approved for this run, chosen with DESKTERITY_UNATTENDED: nobody is asked.'),
    lists: z.array(
      z.object({
        name: z.string().describe('Table and key as in policy.toml, such as applications.denied, or rule 3.'),
        source: z.string().describe('The file, the variables, or "built in".'),
        patterns: z.array(z.string()),
      }),
    ),
  }),
  examples: [{ about: 'See all rules', input: {}, format: 'outline' }],
  outline: ({ mode, problem, unattended, lists }) =>
    [
      ...(problem === undefined ? [] : [`problem: ${problem}`]),
      `mode: ${mode}`,
      ...(unattended === undefined
        ? []
        : [`unattended: ${unattended.name}, from ${unattended.from} until ${unattended.until}`]),
      ...lists.map(({ name, source, patterns }) => `${name} (${source}): ${patterns.join(', ')}`),
    ].join('\n'),
  run: async ({ policy: { mode, problem, unattended, lists } }) => ({
    mode,
    ...(problem === undefined ? {} : { problem: `${problem.message} ${problem.suggestion}` }),
    ...(unattended === undefined
      ? {}
      : {
          unattended: {
            name: unattended.name,
            from: unattended.from.toISOString(),
            until: unattended.until.toISOString(),
          },
        }),
    lists: lists.map(({ name, source, patterns }) => ({ name, source, patterns: [...patterns] })),
  }),
});
