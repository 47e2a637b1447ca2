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
  summary: 'Show the security mode and the lists of what is allowed and denied.',
  description:
    'Lists come from policy.toml in your configuration folder, from DESKTERITY_SECURITY_MODE, DESKTERITY_ALLOWED_APPS and DESKTERITY_DENIED_APPS, which can only tighten it, and from the built-in list of programs that hold or ask for passwords. Works without a desktop.',
  input: z.object({}),
  output: z.object({
    mode: z.enum(SECURITY_MODES),
    lists: z.array(
      z.object({
        name: z.string().describe('Table and key as in policy.toml, such as applications.denied.'),
        source: z.string().describe('The file, the variables, or "built in".'),
        patterns: z.array(z.string()),
      }),
    ),
  }),
  examples: [{ about: 'See all rules', input: {}, format: 'outline' }],
  outline: ({ mode, lists }) =>
    [
      `mode: ${mode}`,
      ...lists.map(({ name, source, patterns }) => `${name} (${source}): ${patterns.join(', ')}`),
    ].join('\n'),
  run: async ({ policy }) => ({
    mode: policy.mode,
    lists: policy.lists.map(({ name, source, patterns }) => ({ name, source, patterns: [...patterns] })),
  }),
});
