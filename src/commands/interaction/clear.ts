import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, semanticAct, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'clear',
  group: 'interaction',
  kind: 'act',
  title: 'Empty a field',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Empty a text field.',
  description:
    'The text is read again afterwards: "confirmed" means that the field is now empty. Nothing is sent where it was empty already. Fields that hold a number cannot be empty and are refused.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Empty a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => semanticAct(ctx, 'clear', input),
});
