import { mentionCommand } from '../../model/text/mention.ts';
import { heldKey } from './held-key.ts';

export default heldKey({
  isDown: true,
  name: 'key-down',
  title: 'Hold a key down',
  summary: `Hold a key down until ${mentionCommand('key-up')}.`,
  description: `For keys held during clicks or drags. The key is released when the session ends, on ${mentionCommand('stop')}, when the client disconnects, or 30 seconds after this session last used keyboard or pointer; until then other sessions cannot use keyboard or pointer. To press and release in one call use ${mentionCommand('press')}.`,
  examples: [
    { about: 'Extend a selection with the next clicks', input: { key: 'Shift' } },
    { about: 'In a window, brought to the front first', input: { key: 'Alt', app: 'Gimp' } },
  ],
});
