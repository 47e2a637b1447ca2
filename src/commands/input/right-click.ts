import { byPointer, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { pointerGesture } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'right-click',
  group: 'input',
  kind: 'input',
  guarantee: byPointer(CHANGE_SEEN),
  title: 'Right-click',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  summary: 'Press the right button on an element, which usually opens its menu.',
  description:
    'The pointer moves there; what lies under it is checked first. The items of the menu are in "changes" where they are in the same window; otherwise take a snapshot.',
  examples: [
    { about: 'Open the menu of a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => pointerGesture(ctx, 'right-click', input),
});
