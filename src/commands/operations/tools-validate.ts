import { mentionCommand, onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { ToolFileProblem } from '../../model/tools/tool-file-problem.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'validate'],
  group: 'operations',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  isReadOnly: true,
  summary: `Check tool files${onCommandLine('; exit code 2 if any is invalid')}.`,
  description: `Each problem comes with file, line, column, JSON pointer and what to do. Without files, it checks all that ${mentionCommand('tools list')} finds, also for conflicts between them.`,
  input: z.object({
    files: z.array(z.string().min(1)).max(200).optional().describe('Tool files.'),
  }),
  positionals: ['files'],
  output: z.object({
    valid: z.boolean(),
    checked: z.int().describe('Number of files checked.'),
    problems: z.array(ToolFileProblem),
    not_checked: z.array(z.string()).optional().describe('Why folders or files could not be checked.'),
  }),
  examples: [
    { about: 'All tool files of this folder', input: {}, format: 'outline' },
    { about: 'One file', input: { files: ['.deskterity/tools/git.json'] } },
  ],
  outline: ({ checked, problems, not_checked: notChecked = [] }) =>
    [
      ...notChecked.map((reason) => `not checked: ${reason}`),
      ...problems.map(
        ({ file, line, column, pointer, message, suggestion }) =>
          `${reveal(file)}:${line}:${column}: ${message}${pointer === '' ? '' : ` (${pointer})`}\n  ${suggestion}`,
      ),
      `${checked} ${checked === 1 ? 'file' : 'files'}, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
    ].join('\n'),
  exitCode: ({ valid }) => (valid ? 0 : 2),
  run: async (ctx, { files }) => {
    const { checked, problems, notChecked } = await (await ctx.tools()).validate(files);
    return {
      valid: problems.length === 0 && notChecked.length === 0,
      checked,
      problems: [...problems],
      ...(notChecked.length === 0 ? {} : { not_checked: [...notChecked] }),
    };
  },
});
