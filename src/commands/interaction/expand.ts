import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, semanticAct, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'expand',
  group: 'interaction',
  kind: 'act',
  title: 'Expand',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Expand a tree row, a disclosure, a combo box or a menu.',
  description:
    'Nothing is sent where it is expanded already. The receipt is "confirmed" by its state, or where it has none by what came up below it; "changes" lists that with references. ' +
    'Where a toolkit offers no way, such as Qt for tree rows, the pointer or a key does it.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Expand a row of a tree', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => semanticAct(ctx, 'expand', input),
});
