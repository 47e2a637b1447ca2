import { mentionCommand } from '../../model/text/mention.ts';
import { heldKey } from './held-key.ts';

export default heldKey({
  isDown: false,
  name: 'key-up',
  title: 'Let a key go',
  summary: `Let a key go that ${mentionCommand('key-down')} holds.`,
  description: 'Nothing is wrong when it was not held.',
  examples: [
    { about: 'Let Shift go', input: { key: 'Shift' } },
    { about: 'In a window that comes to the front first', input: { key: 'Alt', app: 'Gimp' } },
  ],
});
