import { byPointer } from '../../model/effects/guarantees.ts';
import { gestureCommand } from '../element-command.ts';

export default gestureCommand({
  name: 'hover',
  guarantee: byPointer(
    'the display reporting the pointer there, and the application reporting the element under it',
  ),
  title: 'Point at an element',
  idempotent: true,
  summary: 'Move the pointer onto an element, to show a tooltip or open a submenu.',
  description:
    '"confirmed" means that the display reports the pointer there and the application reports the element at that point.',
  examples: [
    { about: 'Show the tooltip of a button', input: { ref: '@e2' } },
    { about: 'Open a submenu', input: { ref: '@e14' } },
  ],
});
