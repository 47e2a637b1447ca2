import { z } from 'zod';
import { DECISIONS, type Verdict } from '../../model/policy/verdict.ts';
import { defineCommand } from '../../registry/define.ts';
import { leftOpen, otherCases } from './policy-cases.ts';
import { decided, requestsFor } from './policy-requests.ts';

export default defineCommand({
  name: ['policy', 'explain'],
  group: 'system',
  kind: 'admin',
  title: 'Explain the policy',
  isReadOnly: true,
  surfaces: ['cli', 'library'],
  summary: 'Say whether the policy allows a command, by which rule and why.',
  description:
    'Runs nothing and works without a desktop. What is given besides is judged, too: the application, the element that is acted on, the project of a terminal, the tool. An application is looked up as launch does; if there is none, the text is compared as the name that an application gives itself. What depends on the screen, the caller or a tool is told as cases.',
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
    left_open: z.array(z.string()).optional().describe('What was not given, and is judged, too.'),
    cases: z
      .array(z.object({ when: z.string(), decision: z.enum(DECISIONS), rule: z.string() }))
      .optional()
      .describe('What would be decided instead, by what is only known when the command runs.'),
  }),
  examples: [
    { about: 'Ask about a command', input: { command: ['clipboard', 'set'] } },
    { about: 'Ask about an application', input: { command: ['click'], app: '/usr/bin/keepassxc' } },
    { about: 'Ask about an element', input: { command: ['click'], role: 'button', name: 'Delete all' } },
    { about: 'Ask about a terminal', input: { command: ['terminal', 'execute'], project: '/srv/app' } },
  ],
  outline: ({ request, decision, rule, why, left_open: open = [], cases = [] }) =>
    [
      `${request}: ${decision} (${rule}). ${why}`,
      ...cases.map((one) => `  ${one.decision} (${one.rule}) if ${one.when}`),
      ...open.map((part) => `  not given: ${part}`),
    ].join('\n'),
  run: async (ctx, given) => {
    const requests = await requestsFor(ctx, given);
    const { unjudged } = requests.ruled;
    const usual: Verdict =
      unjudged === undefined
        ? decided(ctx.policy, requests.all)
        : { decision: 'allow', rule: 'default', why: `It ${unjudged}.` };
    const isOpen = unjudged === undefined && usual.decision !== 'deny';
    const open = isOpen ? leftOpen(requests, ctx) : [];
    const cases = isOpen ? await otherCases(ctx, requests, usual) : [];
    return {
      request: requests.name,
      ...usual,
      ...(open.length === 0 ? {} : { left_open: open }),
      ...(cases.length === 0 ? {} : { cases }),
    };
  },
});
