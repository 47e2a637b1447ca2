import { byPointer, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { pointerGesture } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'double-click',
  group: 'input',
  kind: 'input',
  guarantee: byPointer(CHANGE_SEEN),
  title: 'Double-click',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  summary: 'Press the left button twice on an element.',
  description:
    'Accessibility knows no double click, so the pointer moves there. What lies under it is checked first: a covered element is refused. For opening a file or editing a cell.',
  examples: [
    { about: 'Open what a row stands for', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => pointerGesture(ctx, 'double-click', input),
});
