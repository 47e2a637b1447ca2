import { mentionCommand } from '../../model/text/mention.ts';
import { heldKey } from './held-key.ts';

export default heldKey({
  isDown: false,
  name: 'key-up',
  title: 'Release a key',
  summary: `Release a key that ${mentionCommand('key-down')} holds.`,
  description: 'Not an error if the key was not held.',
  examples: [
    { about: 'Release Shift', input: { key: 'Shift' } },
    { about: 'In a window, brought to the front first', input: { key: 'Alt', app: 'Gimp' } },
  ],
});
