import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineClientVerb, flag, optionalText } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['terminal', 'attach'],
  group: 'terminals',
  summary: 'Attach to a terminal, in the current window or in a new one.',
  description:
    'Typed text goes to the terminal and is not stored: use this to enter passwords. The detach keys leave it running; several clients can be attached at once, also over ssh. ' +
    `When the shell of the terminal exits, so does this command, with the same exit code. ${mentionParameter('open')} shows it in a window of your terminal application without moving the focus; ` +
    'the setting terminal.app chooses the application.',
  input: z.object({
    name: optionalText(
      'Tag or id of the terminal. A tag is looked up in the project first, then in all projects, where it must be unique.',
    ),
    ...SessionRequest.shape,
    detach_keys: z
      .string()
      .min(1)
      .default('ctrl-]')
      .describe('Keys that detach, such as ctrl-] or ctrl-p,ctrl-q.'),
    open: flag(`Show it in a window of your terminal application, like ${mentionCommand('terminal open')}.`),
    window: optionalText(`Internal: ${mentionParameter('open')} passes it to the process in the new window.`),
  }),
  positionals: ['name'],
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another terminal of this folder', input: { name: 'api' } },
    { about: 'In a new window', input: { open: true } },
  ],
});
