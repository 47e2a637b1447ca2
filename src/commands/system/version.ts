import { z } from 'zod';
import { line, span } from '../../model/text/page.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: 'version',
  group: 'system',
  kind: 'admin',
  isReadOnly: true,
  summary: 'Show the version of Deskterity and what it runs on.',
  description: 'Works without a desktop.',
  input: z.object({}),
  output: z.object({
    program: z.string(),
    program_version: z.string(),
    node: z.string(),
    platform: z.string(),
    architecture: z.string(),
  }),
  examples: [
    { about: 'As JSON', input: {} },
    { about: 'On one line, as for a bug report', input: {}, format: 'text' },
  ],
  outline: (output) =>
    `deskterity ${output.program_version} (node ${output.node}, ${output.platform} ${output.architecture})`,
  page: ({ program_version: version, node, platform, architecture }) => [
    line([
      span(`deskterity ${version}`, 'strong'),
      span(` (node ${node}, ${platform} ${architecture})`, 'quiet'),
    ]),
  ],
  run: async (ctx) => ({
    program: 'deskterity',
    program_version: ctx.system.version,
    node: ctx.system.nodeVersion,
    platform: ctx.system.platform,
    architecture: ctx.system.architecture,
  }),
});
