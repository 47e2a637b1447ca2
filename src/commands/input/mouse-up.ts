import { mentionCommand } from '../../model/text/mention.ts';
import { heldButton } from './held-button.ts';

export default heldButton({
  isDown: false,
  name: ['mouse', 'up'],
  title: 'Let a button go',
  summary: `Let a button go that ${mentionCommand('mouse down')} holds.`,
  description: 'Nothing is wrong when it was not held.',
});
