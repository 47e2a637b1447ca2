import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, pointerGesture, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'hover',
  group: 'input',
  kind: 'input',
  title: 'Point at an element',
  toolsets: ['input'],
  needs: ['tree', 'input'],
  idempotent: true,
  summary: 'Move the pointer onto an element, for a tooltip or a menu that opens by itself.',
  description:
    '"confirmed" means that the display says where the pointer is and the application says that the element lies there.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Show the tooltip of a button', input: { ref: '@e2' } },
    { about: 'Open a submenu', input: { ref: '@e14' } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => pointerGesture(ctx, 'hover', input),
});
