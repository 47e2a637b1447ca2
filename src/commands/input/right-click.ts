import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, pointerGesture, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'right-click',
  group: 'input',
  kind: 'input',
  title: 'Right-click',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  summary: 'Press the right button on an element, which usually opens its menu.',
  description:
    'The pointer moves there; what lies under it is checked first. The items of the menu are in "changes" where they are in the same window; otherwise take a snapshot.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Open the menu of a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => pointerGesture(ctx, 'right-click', input),
});
