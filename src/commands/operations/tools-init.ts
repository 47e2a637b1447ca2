import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote, reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, flag, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'init'],
  group: 'operations',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  summary: 'Write a tool file for a command.',
  description:
    'For some commands one is shipped with Deskterity, which needs no trust. For others it is drafted from what the command says with --help, asked in the sandbox; what is not clear is left out. Read it, then trust it.',
  input: z.object({
    command: z.string().min(1).max(200).describe('Program, such as git.'),
    print: flag('Only show it.'),
    force: flag('Replace a file that is there.'),
    timeout_ms: timeout(120_000),
  }),
  positionals: ['command'],
  output: z.object({
    name: z.string(),
    file: z.string().optional().describe('Where it was written.'),
    shipped: z.boolean().describe('It is the one shipped with Deskterity, and may run.'),
    left_out: z.array(z.string()).optional().describe('What was not clear.'),
    text: z.string().optional().describe('The file, where it is only shown.'),
  }),
  examples: [
    { about: 'Use the tool file for git in this folder', input: { command: 'git' } },
    { about: 'See what would be written for tar', input: { command: 'tar', print: true }, format: 'text' },
  ],
  outline: ({ name, file, shipped, left_out: leftOut = [], text }) =>
    text ??
    [
      `${reveal(name)}: ${reveal(file ?? '')}${shipped ? ', shipped with Deskterity' : ', drafted'}`,
      ...leftOut.map((part) => `left out: ${part}`),
      ...(shipped || file === undefined
        ? []
        : [`Read it, then run ${mentionCommand('tools trust', { files: [file] })}.`]),
    ].join('\n'),
  text: ({ text, file = '' }) => text ?? file,
  run: async (ctx, { command, print, force }) => {
    const tools = await ctx.tools();
    ctx.progress?.({ message: `asking ${command} for its help` });
    const { name, text, isReady, leftOut } = await tools.draft(command, ctx.signal);
    const about = { name, shipped: isReady, ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }) };
    if (print) return { ...about, text };
    const file = join(tools.folder, `${name}.json`);
    if (!force && (await ctx.files.find(file)) !== undefined)
      throw new DeskterityError('CONFLICT', `${quote(file)} is there already.`, {
        suggestion: `Look at the new one with ${mentionParameter('print')}, or replace it with ${mentionParameter('force')}.`,
      });
    await ctx.files.writeAtomic(file, text);
    return { ...about, file };
  },
});
