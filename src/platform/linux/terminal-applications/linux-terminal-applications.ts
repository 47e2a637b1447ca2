import { mentionCommand } from '../../../model/text/mention.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { TerminalAppChoice } from '../../../model/terminals/terminal-app.ts';
import { TERMINAL_APPLICATIONS, type LinuxApplication } from './terminal-applications.ts';
import type { TerminalApplicationsPort } from '../../../ports/terminals/terminal-applications.ts';
import { tmuxSocket } from './tmux-tabs.ts';
import { GROUP, windowPlace } from './window-place.ts';

/** Facts that the choice depends on. */
export interface ApplicationFacts {
  /** The caller's. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a program is in the caller's PATH. */
  readonly isThere: (program: string) => boolean;
}

/**
 * Chooses the application that shows terminals: the requested one; for `auto` the one the caller runs in, else the first available.
 * @returns `undefined` if `auto` finds none
 * @throws DeskterityError ACTION_NOT_SUPPORTED if the requested one is not available
 */
export function chooseApplication(
  choice: TerminalAppChoice,
  facts: ApplicationFacts,
): LinuxApplication | undefined {
  const usable = TERMINAL_APPLICATIONS.filter((one) => isUsable(one, facts));
  if (choice === 'auto') return usable.find((one) => isAround(one, facts)) ?? usable[0];
  const asked = usable.find(({ name }) => name === choice);
  if (asked !== undefined) return asked;
  const wanted = TERMINAL_APPLICATIONS.find(({ name }) => name === choice);
  throw new DeskterityError('ACTION_NOT_SUPPORTED', unusable(choice, wanted, facts), {
    suggestion:
      usable.length === 0
        ? `Show the terminal yourself: run ${mentionCommand('terminal attach')} in any terminal, also over ssh.`
        : `Set terminal.app to auto, or to one that works here: ${usable.map(({ name }) => name).join(', ')}.`,
  });
}

function isUsable(one: LinuxApplication, facts: ApplicationFacts): boolean {
  return canShow(one, facts) && facts.isThere(one.program);
}

/** tmux can only show a terminal to a caller that runs in it. */
function canShow({ shows, ownVariable }: LinuxApplication, { environment }: ApplicationFacts): boolean {
  const isX11 = isSet(environment['DISPLAY']);
  const isWayland = isSet(environment['WAYLAND_DISPLAY']);
  switch (shows) {
    case 'x11':
      return isX11;
    case 'wayland':
      return isWayland;
    case 'x11-or-wayland':
      return isX11 || isWayland;
    default:
      return ownVariable !== undefined && isSet(environment[ownVariable]);
  }
}

function isAround({ ownVariable }: LinuxApplication, { environment }: ApplicationFacts): boolean {
  return ownVariable !== undefined && isSet(environment[ownVariable]);
}

function unusable(
  choice: TerminalAppChoice,
  wanted: LinuxApplication | undefined,
  facts: ApplicationFacts,
): string {
  if (wanted !== undefined && !facts.isThere(wanted.program))
    return `${wanted.title} is not available: its program ${wanted.program} is not in the PATH.`;
  const title = wanted?.title ?? choice;
  if (wanted?.shows === 'terminal')
    return `${title} cannot show the terminal, because this command was not run in ${title}.`;
  if (wanted?.shows === 'wayland') return `${title} works only on Wayland, and WAYLAND_DISPLAY is not set.`;
  return `${title} has no display to show a terminal on: DISPLAY${wanted?.shows === 'x11' ? ' is' : ' and WAYLAND_DISPLAY are'} not set.`;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

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
