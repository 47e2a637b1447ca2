import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, semanticAct, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'collapse',
  group: 'interaction',
  kind: 'act',
  title: 'Collapse',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Collapse a tree row, a disclosure or a combo box.',
  description:
    'Nothing is sent where it is collapsed already. What does not say whether it is expanded, such as a menu, is refused: the same action would open it.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Collapse a row of a tree', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => semanticAct(ctx, 'collapse', input),
});
