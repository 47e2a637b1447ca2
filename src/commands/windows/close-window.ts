import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'close-window',
  title: 'Close a window',
  destructive: true,
  summary: 'Ask a window to close, as its close button does.',
  description:
    'Done means that the window is gone. One that stays, for example to ask whether to save, is reported as ACTION_FAILED; "changes" names the window that it asks in. The application goes on where it has other windows.',
  input: z.object(windowTarget).refine(({ app, window }) => app !== undefined || window !== undefined, {
    path: ['window'],
    error: `is needed, or ${mentionParameter('app')}`,
  }),
  examples: [
    { about: 'Close a window that was listed', input: { window: '@w2' } },
    { about: 'Close the frontmost window of an application', input: { app: 'KCalc' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'close' }, input),
});
