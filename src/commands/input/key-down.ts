import { mentionCommand } from '../../model/text/mention.ts';
import { heldKey } from './held-key.ts';

export default heldKey({
  isDown: true,
  name: 'key-down',
  title: 'Hold a key down',
  summary: `Hold a key down until ${mentionCommand('key-up')}.`,
  description: `For keys held during clicks or drags. It is let go when the session ends, on ${mentionCommand('stop')}, when the client is gone, or 30 seconds after this session last used keyboard or pointer; until then other sessions wait for both. One call that presses and lets go is ${mentionCommand('press')}.`,
  examples: [
    { about: 'Extend a selection by the clicks that follow', input: { key: 'Shift' } },
    { about: 'In a window that comes to the front first', input: { key: 'Alt', app: 'Gimp' } },
  ],
});
