import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'restore',
  title: 'Restore a window',
  idempotent: true,
  summary: 'Restore a minimized or maximized window.',
  description:
    'Default: the active window. Afterwards it is not minimized, maximized or full-screen. Restoring a minimized window gives it the keyboard focus.',
  input: z.object(windowTarget),
  examples: [
    { about: 'Restore a minimized window', input: { window: '@w2' } },
    { about: 'Unmaximize the active window', input: {} },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'restore' }, input),
});
