import { byPointer, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { gestureCommand } from '../element-command.ts';

export default gestureCommand({
  name: 'double-click',
  guarantee: byPointer(CHANGE_SEEN),
  title: 'Double-click',
  summary: 'Double-click an element with the left button.',
  description:
    'For opening a file or editing a cell. Accessibility has no double click, so the pointer moves to the element. The target under the pointer is checked first: a covered element is refused.',
  examples: [
    { about: 'Open the file of a row', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
});
