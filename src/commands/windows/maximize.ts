import { windowStateCommand } from './window-command.ts';

export default windowStateCommand({
  name: 'maximize',
  title: 'Maximize a window',
  summary: 'Make a window fill the screen.',
  description:
    'Default: the active window. A minimized window is restored first, which gives it the keyboard focus.',
  examples: [
    { about: 'Maximize the active window', input: {} },
    { about: 'Maximize the window of an application', input: { app: 'KCalc' } },
  ],
});
