import { byPointer, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { gestureCommand } from '../element-command.ts';

export default gestureCommand({
  name: 'triple-click',
  guarantee: byPointer(CHANGE_SEEN),
  title: 'Triple-click',
  summary: 'Triple-click an element with the left button, which selects a line or paragraph of its text.',
  description:
    'What is selected depends on the application: all of a field, or the line or paragraph in the middle of a longer text. The target under the pointer is checked first: a covered element is refused.',
  examples: [
    { about: 'Select what a field contains', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
});
