import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import {
  DeletedHome,
  outlineFiles,
  outlineSession,
  SessionSummary,
} from '../../model/sessions/session-summary.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: ['session', 'kill'],
  group: 'sessions',
  kind: 'admin',
  destructive: true,
  summary: 'End a session: discard its references, and end its private desktop with every program on it.',
  description: `The HOME of a private desktop is deleted with all files that were saved there, and so is its temporary folder, unless ${mentionCommand('session new')} was given a HOME to keep; ${mentionCommand('session info')} shows where it is and what is in it. Programs on your own desktop keep running. Running calls may fail. Calls that use its name fail until ${mentionCommand('session new')} makes it again, except for the session 'default'.`,
  input: z.object({
    name: z.string().min(1).describe('Name of the session.'),
    timeout_ms: timeout(15_000),
  }),
  positionals: ['name'],
  output: SessionSummary.extend({
    killed: z.literal(true),
    deleted: DeletedHome.optional().describe(
      'The HOME that was deleted, and the files that were saved there.',
    ),
  }),
  examples: [
    { about: 'End a session and its desktop', input: { name: 'worker' } },
    { about: 'The result in words', input: { name: 'worker' }, format: 'outline' },
  ],
  outline: (output) => {
    const { deleted, home, home_kept: isKept } = output;
    return [
      `ended ${outlineSession(output)}`,
      ...(deleted === undefined
        ? []
        : [`deleted its HOME ${reveal(deleted.home)} with ${outlineFiles(deleted)}`]),
      ...(isKept === true && home !== undefined ? [`its HOME ${reveal(home)} stays`] : []),
    ].join('\n');
  },
  run: async (ctx, input) => ({ ...(await ctx.sessions.kill(input.name)), killed: true as const }),
});
