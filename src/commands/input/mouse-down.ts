import { mentionCommand } from '../../model/text/mention.ts';
import { heldButton } from './held-button.ts';

export default heldButton({
  isDown: true,
  name: ['mouse', 'down'],
  title: 'Hold a button down',
  summary: `Hold a mouse button down at the pointer’s position until ${mentionCommand('mouse up')}.`,
  description: `Released in the same cases as ${mentionCommand('key-down')}. For a whole drag use ${mentionCommand('drag')}.`,
});
