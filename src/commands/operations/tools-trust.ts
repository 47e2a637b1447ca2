import { z } from 'zod';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'trust'],
  group: 'operations',
  kind: 'admin',
  // Whoever writes a tool file must not be the one who says that it may run.
  surfaces: ['cli'],
  idempotent: true,
  summary: 'Let a tool file run as it is now.',
  description:
    'A tool file says what is run and what it may reach: read it first. Trust is in its content and its place; when one of them changes, it has to be trusted again.',
  input: z.object({ files: z.array(z.string().min(1)).min(1).max(100).describe('Tool files.') }),
  positionals: ['files'],
  output: z.object({
    trusted: z.array(z.object({ path: z.string(), tools: z.array(z.string()) })),
  }),
  examples: [
    { about: 'Allow what was read', input: { files: ['.deskterity/tools/build.json'] } },
    { about: 'Several at once', input: { files: ['tools/a.json', 'tools/b.json'] } },
  ],
  outline: ({ trusted }) =>
    trusted.map(({ path, tools }) => `${reveal(path)}: ${tools.join(', ')}`).join('\n'),
  run: async (ctx, { files }) => {
    const tools = await ctx.tools();
    const trusted = [];
    for (const file of files) {
      const { path, tools: names } = await tools.trust(file);
      trusted.push({ path, tools: [...names] });
    }
    return { trusted };
  },
});
