import { z } from 'zod';
import { WindowReceipt } from '../../model/effects/effect.ts';
import { controlWindow, defineCommand, outlineReceipt, windowTarget } from '../../registry/define.ts';

export default defineCommand({
  name: 'minimize',
  group: 'windows',
  kind: 'act',
  title: 'Minimize a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Minimize a window.',
  description:
    'Without --app and --window it is the active window. Where it was active, the window manager gives the keyboard focus to another one; otherwise the focus stays. A minimized window cannot be captured: "restore" brings it back.',
  input: z.object({
    ...windowTarget,
  }),
  output: WindowReceipt,
  examples: [
    { about: 'Minimize the active window', input: {} },
    { about: 'Minimize the window of an application', input: { app: 'KCalc' } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => controlWindow(ctx, { kind: 'minimize' }, input),
});
