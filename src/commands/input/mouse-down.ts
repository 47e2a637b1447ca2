import { heldButton } from './held-button.ts';

export default heldButton({
  isDown: true,
  name: ['mouse', 'down'],
  title: 'Hold a button down',
  summary: 'Hold a button of the pointer down where it is, until "desk mouse up".',
  description: 'It is let go as with "desk key-down". For a whole drag use "desk drag".',
});
