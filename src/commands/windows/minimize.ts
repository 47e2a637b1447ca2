import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'minimize',
  title: 'Minimize a window',
  idempotent: true,
  summary: 'Minimize a window.',
  description: `Without ${mentionParameter('app')} and ${mentionParameter('window')} it is the active window. Where it was active, the window manager gives the keyboard focus to another one; otherwise the focus stays. A minimized window cannot be captured: "restore" brings it back.`,
  input: z.object(windowTarget),
  examples: [
    { about: 'Minimize the active window', input: {} },
    { about: 'Minimize the window of an application', input: { app: 'KCalc' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'minimize' }, input),
});
