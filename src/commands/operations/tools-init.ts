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
    'Deskterity ships tool files for some commands; those run without being trusted first. For other commands a draft is made from their --help output, run in the sandbox; unclear parts are left out. Missing folders are created. Read the draft, then trust it.',
  input: z.object({
    command: z.string().min(1).max(200).describe('Program, such as git.'),
    print: flag('Show the file without writing it.'),
    force: flag('Replace an existing file.'),
    timeout_ms: timeout(120_000),
  }),
  positionals: ['command'],
  output: z.object({
    name: z.string(),
    file: z.string().optional().describe('The file written.'),
    shipped: z
      .boolean()
      .describe('Whether the file is shipped with Deskterity, and so needs no trust to run.'),
    left_out: z.array(z.string()).optional().describe('Parts left out because they could not be understood.'),
    text: z.string().optional().describe('Content of the file, if it was not written.'),
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
    ctx.progress?.({ message: `running ${command} --help` });
    const { name, text, isReady, leftOut } = await tools.draft(command, ctx.signal);
    const about = { name, shipped: isReady, ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }) };
    if (print) return { ...about, text };
    const file = join(tools.folder, `${name}.json`);
    if (!force && (await ctx.files.find(file)) !== undefined)
      throw new DeskterityError('CONFLICT', `${quote(file)} already exists.`, {
        suggestion: `See the new one with ${mentionParameter('print')}, or replace the file with ${mentionParameter('force')}.`,
      });
    await ctx.files.writeAtomic(file, text);
    return { ...about, file };
  },
});
