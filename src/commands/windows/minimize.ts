import { mentionCommand } from '../../model/text/mention.ts';
import { windowStateCommand } from './window-command.ts';

export default windowStateCommand({
  name: 'minimize',
  title: 'Minimize a window',
  summary: 'Minimize a window.',
  description:
    'Default: the active window. If it was active, the window manager moves the keyboard focus to another window; otherwise the focus does not change. A minimized window cannot be captured: ' +
    `${mentionCommand('restore')} brings it back.`,
  examples: [
    { about: 'Minimize the active window', input: {} },
    { about: 'Minimize the window of an application', input: { app: 'KCalc' } },
  ],
});
