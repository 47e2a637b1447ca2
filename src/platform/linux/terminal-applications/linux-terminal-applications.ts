import type { TerminalApplicationsPort } from '../../../ports/terminals/terminal-applications.ts';
import { chooseApplication } from './choose-application.ts';
import { tmuxSocket } from './tmux-tabs.ts';
import { GROUP, windowPlace } from './window-place.ts';

export const LINUX_TERMINAL_APPLICATIONS: TerminalApplicationsPort = {
  choose: chooseApplication,
  placeOf: windowPlace,
  // tmux is controlled through its own socket, others through one of ours.
  controlPlace: ({ TMUX, DISPLAY, WAYLAND_DISPLAY }, folder) => {
    const display = (DISPLAY ?? WAYLAND_DISPLAY ?? '').replaceAll(/[^a-z0-9]/gi, '-');
    return { socket: tmuxSocket(TMUX) ?? `${folder}/kitty${display}.sock`, group: GROUP };
  },
  displayOf: ({ DISPLAY, XAUTHORITY }) => ({
    ...(DISPLAY && { DISPLAY }),
    ...(XAUTHORITY && { XAUTHORITY }),
  }),
  listsWindows: ({ DISPLAY }) => Boolean(DISPLAY),
  whyFocusIsUnknown: ({ WAYLAND_DISPLAY }) =>
    WAYLAND_DISPLAY ? 'Wayland does not reveal whether it has the focus' : undefined,
};
