import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'maximize',
  title: 'Maximize a window',
  idempotent: true,
  summary: 'Make a window fill the screen.',
  description:
    'Default: the active window. A minimized window is restored first, which gives it the keyboard focus.',
  input: z.object(windowTarget),
  examples: [
    { about: 'Maximize the active window', input: {} },
    { about: 'Maximize the window of an application', input: { app: 'KCalc' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'maximize' }, input),
});
