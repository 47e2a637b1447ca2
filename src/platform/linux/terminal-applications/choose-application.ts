import { mentionCommand } from '../../../model/text/mention.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { TerminalAppChoice } from '../../../model/terminals/terminal-app.ts';
import { TERMINAL_APPLICATIONS } from './terminal-applications.ts';
import type { LinuxApplication } from './terminal-applications.ts';

/** What is there to choose from. */
export interface ApplicationFacts {
  /** Of whoever asks. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a program is in their PATH. */
  readonly isThere: (program: string) => boolean;
}

/**
 * The application that shows terminals: the one that was asked for; else the one the caller sits in, else the first that is there.
 * @returns `undefined` where `auto` finds none
 * @throws DeskterityError ACTION_NOT_SUPPORTED for one that was asked for and cannot be had
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
        ? `Show the terminal by hand: run ${mentionCommand('terminal attach')} in any terminal, also over ssh.`
        : `Set terminal.app to auto, or to one that works here: ${usable.map(({ name }) => name).join(', ')}.`,
  });
}

function isUsable(one: LinuxApplication, facts: ApplicationFacts): boolean {
  return canShow(one, facts) && facts.isThere(one.program);
}

/** tmux shows a terminal only where somebody looks at it: to who is in it. */
function canShow({ shows, sign }: LinuxApplication, { environment }: ApplicationFacts): boolean {
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
      return sign !== undefined && isSet(environment[sign]);
  }
}

function isAround({ sign }: LinuxApplication, { environment }: ApplicationFacts): boolean {
  return sign !== undefined && isSet(environment[sign]);
}

function unusable(
  choice: TerminalAppChoice,
  wanted: LinuxApplication | undefined,
  facts: ApplicationFacts,
): string {
  if (wanted !== undefined && !facts.isThere(wanted.program))
    return `${wanted.title} is not there: no program ${wanted.program} is in the PATH.`;
  const title = wanted?.title ?? choice;
  if (wanted?.shows === 'terminal')
    return `${title} is to show the terminal, but this was not called in ${title}.`;
  if (wanted?.shows === 'wayland') return `${title} works on Wayland alone, and WAYLAND_DISPLAY is not set.`;
  return `${title} has no display to show a terminal on: DISPLAY${wanted?.shows === 'x11' ? ' is' : ' and WAYLAND_DISPLAY are'} not set.`;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
