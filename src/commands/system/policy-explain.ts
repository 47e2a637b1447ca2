import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { toolOfCommand } from '../../model/tools/tool-command-name.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['policy', 'explain'],
  group: 'system',
  kind: 'admin',
  title: 'Explain the policy',
  isReadOnly: true,
  surfaces: ['cli', 'library'],
  summary: 'Say whether the policy allows a command, by which rule and why.',
  description:
    'Runs nothing and works without a desktop. With an application it also says whether that may be read and acted on: a path is compared as the program that the system reports, another text as the name that the application gives itself.',
  input: z.object({
    command: z.array(z.string().max(200)).min(1).max(8).describe('Name of a command, such as clipboard set.'),
    app: z.string().max(4096).optional().describe('Path of a program, or name of an application.'),
  }),
  positionals: ['command'],
  output: z.object({
    request: z.string().describe('The command that was asked about.'),
    decision: z.enum(['allow', 'confirm', 'deny']),
    rule: z.string(),
    why: z.string(),
  }),
  examples: [
    { about: 'Ask about a command', input: { command: ['clipboard', 'set'] } },
    { about: 'Ask about an application', input: { command: ['click'], app: '/usr/bin/keepassxc' } },
  ],
  outline: ({ request, decision, rule, why }) => `${request}: ${decision} (${rule}). ${why}`,
  run: async ({ policy, commands }, { command, app }) => {
    const name = command.join(' ');
    const tool = toolOfCommand(name);
    const known = commands.find(name);
    if (known === undefined && tool === undefined)
      throw new DeskterityError('INVALID_ARGUMENT', `There is no command ${JSON.stringify(name)}.`, {
        suggestion: 'Give the name without parameters, such as "clipboard set".',
      });
    const application =
      app === undefined ? undefined : app.startsWith('/') ? { executable: app } : { name: app };
    const verdict = policy.decide({
      command: known?.name ?? name,
      isReadOnly: known?.isReadOnly === true,
      tool,
      application,
    });
    return { request: known?.name ?? name, ...verdict };
  },
});
