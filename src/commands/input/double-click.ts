import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, pointerGesture, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'double-click',
  group: 'input',
  kind: 'input',
  title: 'Double-click',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  summary: 'Press the left button twice on an element.',
  description:
    'Accessibility knows no double click, so the pointer moves there. What lies under it is checked first: a covered element is refused. For opening a file or editing a cell.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Open what a row stands for', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => pointerGesture(ctx, 'double-click', input),
});
