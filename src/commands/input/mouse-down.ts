import { mentionCommand } from '../../model/text/mention.ts';
import { heldButton } from './held-button.ts';

export default heldButton({
  isDown: true,
  name: ['mouse', 'down'],
  title: 'Hold a button down',
  summary: `Hold a button of the pointer down where it is, until ${mentionCommand('mouse up')}.`,
  description: `It is let go as with ${mentionCommand('key-down')}. For a whole drag use ${mentionCommand('drag')}.`,
});
