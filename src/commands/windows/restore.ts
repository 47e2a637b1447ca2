import { windowStateCommand } from './window-command.ts';

export default windowStateCommand({
  name: 'restore',
  title: 'Restore a window',
  summary: 'Restore a minimized or maximized window.',
  description:
    'Default: the active window. Afterwards it is not minimized, maximized or full-screen. Restoring a minimized window gives it the keyboard focus.',
  examples: [
    { about: 'Restore a minimized window', input: { window: '@w2' } },
    { about: 'Unmaximize the active window', input: {} },
  ],
});
