import { z } from 'zod';
import { WindowReceipt } from '../../model/effects/effect.ts';
import { controlWindow, defineCommand, outlineReceipt, windowTarget } from '../../registry/define.ts';

export default defineCommand({
  name: 'restore',
  group: 'windows',
  kind: 'act',
  title: 'Restore a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Bring back a minimized window, or give a maximized one its former size.',
  description:
    'Without --app and --window it is the active window. Afterwards it is neither minimized nor maximized nor in full screen. Bringing back a minimized window gives it the keyboard focus.',
  input: z.object({
    ...windowTarget,
  }),
  output: WindowReceipt,
  examples: [
    { about: 'Bring back a minimized window', input: { window: '@w2' } },
    { about: 'End the maximizing of the active window', input: {} },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => controlWindow(ctx, { kind: 'restore' }, input),
});
