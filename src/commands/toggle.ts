import { z } from 'zod';
import { Receipt } from '../model/effect.ts';
import { actTarget, defineCommand, outlineReceipt, semanticAct, timeout } from '../registry/define.ts';

export default defineCommand({
  name: 'toggle',
  group: 'interaction',
  kind: 'act',
  title: 'Switch on or off',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Switch a check box, switch, toggle button or check item to its other state.',
  description:
    'It is switched even if it is already as wanted: look at its states first. A radio button or item that is on stays on, and nothing is sent. "confirmed" means that a fresh read shows the other state; ' +
    'one that stayed as it was is a failure. Check boxes of GTK 4.8 offer no action, so the call is refused.',
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
