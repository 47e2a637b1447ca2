import { mentionCommand } from '../../model/text/mention.ts';
import { heldButton } from './held-button.ts';

export default heldButton({
  isDown: false,
  name: ['mouse', 'up'],
  title: 'Release a button',
  summary: `Release a button that ${mentionCommand('mouse down')} holds.`,
  description: 'Not an error if the button was not held.',
});
