import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineClientVerb, flag } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['terminal', 'attach'],
  group: 'terminals',
  summary: 'Attach to a terminal: in the one this is called in, or in a window of its own.',
  description:
    'What is typed goes to the terminal and is kept nowhere: this is how passwords are given. Detach keys lead out of it, and it goes on; it can be attached to from several places, also over ssh. ' +
    `It ends when the shell of the terminal ends, with its exit code. With ${mentionParameter('open')} a window of your terminal application shows it, and the focus stays where it is; ` +
    'which application is the setting terminal.app.',
  input: z.object({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('The tag of a terminal of the project, or the only one there is of this tag; or its id.'),
    ...SessionRequest.shape,
    detach_keys: z
      .string()
      .min(1)
      .default('ctrl-]')
      .describe('Keys that lead out of it, such as ctrl-] or ctrl-p,ctrl-q.'),
    open: flag(
      `Open a window of your terminal application for it, as ${mentionCommand('terminal open')} does.`,
    ),
    window: z
      .string()
      .min(1)
      .optional()
      .describe(`Given by ${mentionParameter('open')} to what runs in the window.`),
  }),
  positionals: ['name'],
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another one of this folder', input: { name: 'api' } },
    { about: 'In a window of its own', input: { open: true } },
  ],
});
