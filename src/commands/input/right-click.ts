import { byPointer, CHANGE_OR_POPUP_SEEN } from '../../model/effects/guarantees.ts';
import { gestureCommand } from '../element-command.ts';

export default gestureCommand({
  name: 'right-click',
  guarantee: byPointer(CHANGE_OR_POPUP_SEEN),
  title: 'Right-click',
  summary: 'Right-click an element, which usually opens its context menu.',
  description:
    'The pointer moves to the element; the target under it is checked first. "changes" lists the menu items if they are in the same window; otherwise take a snapshot.',
  examples: [
    { about: 'Open the context menu of a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
});
