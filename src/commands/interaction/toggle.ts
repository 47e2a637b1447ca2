import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, semanticAct, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'toggle',
  group: 'interaction',
  kind: 'act',
  title: 'Switch on or off',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Switch a check box, switch, toggle button or check item to its other state.',
  description:
    'It is switched even if it is as wanted already: look at its states first. A radio button that is on stays on, and nothing is sent. One that stays as it was is a failure.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Switch a check box', input: { ref: '@e5' } },
    { about: 'Give a slow application more time', input: { ref: '@e5', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => semanticAct(ctx, 'toggle', input),
});
