import { byPointer } from '../../model/effects/guarantees.ts';
import { pointerGesture } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'hover',
  group: 'input',
  kind: 'input',
  guarantee: byPointer('the display reports the pointer there, and the application the element under it'),
  title: 'Point at an element',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  idempotent: true,
  summary: 'Move the pointer onto an element, to show a tooltip or open a submenu.',
  description:
    '"confirmed" means that the display reports the pointer there and the application reports the element at that point.',
  examples: [
    { about: 'Show the tooltip of a button', input: { ref: '@e2' } },
    { about: 'Open a submenu', input: { ref: '@e14' } },
  ],
  run: (ctx, input) => pointerGesture(ctx, 'hover', input),
});
