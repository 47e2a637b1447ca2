import type { Environment } from '../../../model/sessions/caller.ts';
import type { WindowPlace } from '../../../ports/terminals/terminal-applications.ts';
import { KITTY_TABS } from './kitty-tabs.ts';
import { TMUX_TABS, tmuxSocket } from './tmux-tabs.ts';
import { WEZTERM_TABS } from './wezterm-tabs.ts';

/** The application class or group of our windows, in applications that have one. */
export const GROUP = 'org.deskterity.terminals';

const LONGEST_ID = 20;
/** Variables of a tmux client that lead to its window. */
const CLIENT_VARIABLES = ['DISPLAY', 'XAUTHORITY', 'WINDOWID', 'SSH_TTY', 'SSH_CONNECTION'] as const;

/** The innermost application counts: programs in tmux inherit the other variables from whoever started tmux. `undefined` if unknown, as over ssh. */
export function windowPlace(environment: Environment): WindowPlace | undefined {
  const tmux = tmuxPlace(environment);
  if (tmux !== undefined) return tmux;
  // The variables may have been passed on from a terminal on another machine.
  if (isSet(environment['SSH_TTY']) || isSet(environment['SSH_CONNECTION'])) return undefined;
  const windowId = windowOf(environment);
  const [kittyWindow, weztermPane] = ['KITTY_WINDOW_ID', 'WEZTERM_PANE'].map((name) => environment[name]);
  const socket = /^unix:(\/.+)$/.exec(environment['KITTY_LISTEN_ON'] ?? '')?.[1];
  if (socket !== undefined && isNumber(kittyWindow))
    return {
      identifiers: { window: windowId ?? null, tab: kittyWindow },
      windowId,
      focusTab: KITTY_TABS.focus({ socket, group: GROUP }, kittyWindow),
    };
  if (isNumber(weztermPane))
    return {
      identifiers: { window: null, tab: weztermPane },
      focusTab: WEZTERM_TABS.focus({ socket: '', group: GROUP }, weztermPane),
    };
  return windowId === undefined ? undefined : { identifiers: { window: windowId, tab: null }, windowId };
}

function tmuxPlace({ TMUX: tmux, TMUX_PANE: pane }: Environment): WindowPlace | undefined {
  const socket = tmuxSocket(tmux);
  if (socket === undefined || pane === undefined || !/^%\d+$/.test(pane)) return undefined;
  const session = `$${/,(\d+)$/.exec(tmux ?? '')?.[1] ?? ''}`;
  return {
    identifiers: { window: session, tab: pane },
    focusTab: TMUX_TABS.focus({ socket, group: GROUP }, pane),
    viewers: {
      list: ['tmux', '-S', socket, 'list-clients', '-t', session, '-F', '#{client_activity} #{client_pid}'],
      parseList: (printed) =>
        printed
          .split('\n')
          .filter((line) => /^\d+ \d+$/.test(line))
          .map((line) => line.split(' ').map(Number))
          .toSorted(([one = 0], [other = 0]) => other - one)
          .map(([, pid = 0]) => ({ pid, variables: CLIENT_VARIABLES })),
    },
  };
}

/** The window id in the display adapter's form. */
function windowOf(environment: Environment): string | undefined {
  const id = environment['WINDOWID'];
  if (!isSet(environment['DISPLAY']) || !isNumber(id)) return undefined;
  const number = Number(id);
  return number > 0 && number <= 0xffff_ffff ? `x11:0x${number.toString(16)}` : undefined;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.length <= LONGEST_ID && /^\d+$/.test(text);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
