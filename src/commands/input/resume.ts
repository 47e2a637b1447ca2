import { mentionCommand } from '../../model/text/mention.ts';
import { stopCommand } from './stop-command.ts';

export default stopCommand({
  act: 'resumeActing',
  now: 'Go on',
  name: 'resume',
  title: 'Allow acting again',
  // An agent that was stopped does not let itself go on.
  surfaces: ['cli', 'library'],
  summary: `Allow acting on this desktop again after ${mentionCommand('stop')} or the hot-key.`,
  description: 'Not offered as an MCP tool: a person decides that an agent may go on.',
});
