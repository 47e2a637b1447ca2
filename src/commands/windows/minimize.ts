import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'minimize',
  title: 'Minimize a window',
  idempotent: true,
  summary: 'Minimize a window.',
  description:
    'Default: the active window. If it was active, the window manager moves the keyboard focus to another window; otherwise the focus does not change. A minimized window cannot be captured: "restore" brings it back.',
  input: z.object(windowTarget),
  examples: [
    { about: 'Minimize the active window', input: {} },
    { about: 'Minimize the window of an application', input: { app: 'KCalc' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'minimize' }, input),
});
