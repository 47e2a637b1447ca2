import { byPointer } from '../../model/effects/guarantees.ts';
import { pointerGesture } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'hover',
  group: 'input',
  kind: 'input',
  guarantee: byPointer('the display says where the pointer is, and the application what lies there'),
  title: 'Point at an element',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  idempotent: true,
  summary: 'Move the pointer onto an element, for a tooltip or a menu that opens by itself.',
  description:
    '"confirmed" means that the display says where the pointer is and the application says that the element lies there.',
  examples: [
    { about: 'Show the tooltip of a button', input: { ref: '@e2' } },
    { about: 'Open a submenu', input: { ref: '@e14' } },
  ],
  run: (ctx, input) => pointerGesture(ctx, 'hover', input),
});
