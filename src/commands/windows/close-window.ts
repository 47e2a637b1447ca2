import { z } from 'zod';
import { controlWindow, windowTarget, atLeastOne } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'close-window',
  title: 'Close a window',
  destructive: true,
  summary: 'Ask a window to close, as its close button does.',
  description:
    'Succeeds when the window has closed. A window that stays open, for example to ask whether to save, is reported as ACTION_FAILED; "changes" names the dialog. The application keeps running if it has other windows.',
  input: z.object(windowTarget).refine(...atLeastOne('window', 'app')),
  examples: [
    { about: 'Close a window that was listed', input: { window: '@w2' } },
    { about: 'Close the frontmost window of an application', input: { app: 'KCalc' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'close' }, input),
});
