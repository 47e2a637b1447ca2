import { mentionCommand } from '../../model/text/mention.ts';
import { stopCommand } from './stop-command.ts';

export default stopCommand({
  act: 'resumeActing',
  now: 'Resume',
  name: 'resume',
  title: 'Allow acting again',
  // A stopped agent must not resume itself.
  surfaces: ['cli', 'library'],
  summary: `Allow acting on this desktop again after ${mentionCommand('stop')} or the hot-key.`,
  description: 'Not an MCP tool: a person decides whether an agent may continue.',
});
