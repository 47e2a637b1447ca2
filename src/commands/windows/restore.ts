import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'restore',
  title: 'Restore a window',
  idempotent: true,
  summary: 'Bring back a minimized window, or give a maximized one its former size.',
  description: `Without ${mentionParameter('app')} and ${mentionParameter('window')} it is the active window. Afterwards it is neither minimized nor maximized nor in full screen. Bringing back a minimized window gives it the keyboard focus.`,
  input: z.object(windowTarget),
  examples: [
    { about: 'Bring back a minimized window', input: { window: '@w2' } },
    { about: 'End the maximizing of the active window', input: {} },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'restore' }, input),
});
