import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { requestOf } from '../../model/policy/request-of.ts';
import { DECISIONS, type PolicyRequest } from '../../model/policy/verdict.ts';
import { toolOfCommand } from '../../model/tools/tool-command-name.ts';
import { parseRole } from '../../model/tree/role.ts';
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
    'Runs nothing and works without a desktop. What is given besides is judged, too: the application, the element that is acted on, the project of a terminal, the tool. An application is looked up as launch does; if there is none, the text is compared as the name that an application gives itself. It does not say whether a person is asked because an act is destructive.',
  input: z.object({
    command: z.array(z.string().max(200)).min(1).max(8).describe('Name of a command, such as clipboard set.'),
    app: z.string().max(4096).optional().describe('Path of a program, or name of an application.'),
    role: z.string().max(64).optional().describe('Role of the element that is acted on, such as button.'),
    name: z.string().max(1000).optional().describe('Name of the element that is acted on.'),
    title: z.string().max(1000).optional().describe('Title of its window.'),
    project: z
      .string()
      .max(4096)
      .optional()
      .describe('Folder that a terminal belongs to. Default for terminal commands: the current folder.'),
    tool: z.string().max(200).optional().describe('Name of a tool that run-tool or tools call is to run.'),
  }),
  positionals: ['command'],
  output: z.object({
    request: z.string().describe('The command that was asked about.'),
    decision: z.enum(DECISIONS),
    rule: z.string(),
    why: z.string(),
  }),
  examples: [
    { about: 'Ask about a command', input: { command: ['clipboard', 'set'] } },
    { about: 'Ask about an application', input: { command: ['click'], app: '/usr/bin/keepassxc' } },
    { about: 'Ask about an element', input: { command: ['click'], role: 'button', name: 'Delete all' } },
    { about: 'Ask about a terminal', input: { command: ['terminal', 'execute'], project: '/srv/app' } },
  ],
  outline: ({ request, decision, rule, why }) => `${request}: ${decision} (${rule}). ${why}`,
  run: async (
    { policy, commands, cwd, applicationFacts },
    { command, app, role, name: element, title, project, tool },
  ) => {
    const asked = command.join(' ');
    const known = commands.find(asked);
    if (known === undefined && toolOfCommand(asked) === undefined)
      throw new DeskterityError('INVALID_ARGUMENT', `There is no command ${JSON.stringify(asked)}.`, {
        suggestion: 'Give the name without parameters, such as "clipboard set".',
      });
    const { name, kind, group, isReadOnly } = known ?? {
      name: asked,
      kind: 'admin' as const,
      group: 'operations',
      isReadOnly: false,
    };
    const asRole = role === undefined ? 'generic' : parseRole(role);
    if (asRole === undefined)
      throw new DeskterityError('INVALID_ARGUMENT', `There is no role ${JSON.stringify(role)}.`, {
        suggestion: 'Use a role that a snapshot shows, such as button.',
      });
    const request: PolicyRequest = {
      ...requestOf({ name, kind, group, isReadOnly }, { tool }),
      ...(app === undefined
        ? {}
        : {
            application: {
              ...(isAbsolute(app) ? { executable: app } : { name: app }),
              ...(await applicationFacts?.(app)),
            },
          }),
      ...(role === undefined && element === undefined
        ? {}
        : { element: { role: asRole, name: element ?? '', window: title } }),
      ...(project === undefined && group !== 'terminals'
        ? {}
        : { terminalProject: resolve(cwd, project ?? '') }),
    };
    return { request: name, ...policy.decide(request) };
  },
});
