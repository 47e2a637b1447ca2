import { z } from 'zod';
import { WindowReceipt } from '../../model/effects/effect.ts';
import { controlWindow, defineCommand, outlineReceipt, windowTarget } from '../../registry/define.ts';

export default defineCommand({
  name: 'maximize',
  group: 'windows',
  kind: 'act',
  title: 'Maximize a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Make a window fill the screen.',
  description:
    'Without --app and --window it is the active window. A minimized window is brought back for it, which gives it the keyboard focus.',
  input: z.object({
    ...windowTarget,
  }),
  output: WindowReceipt,
  examples: [
    { about: 'Maximize the active window', input: {} },
    { about: 'Maximize the window of an application', input: { app: 'KCalc' } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => controlWindow(ctx, { kind: 'maximize' }, input),
});
