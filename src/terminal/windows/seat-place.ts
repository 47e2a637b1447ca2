import { tmuxSocket } from './tmux-tabs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a program is shown, by what the application that shows it has told it. The innermost counts: what runs in tmux has the rest of who has started that. */
export type SeatPlace =
  | {
      readonly application: 'tmux';
      readonly socket: string;
      readonly windowId: string;
      readonly paneId: string;
    }
  | {
      readonly application: 'kitty';
      readonly socket: string;
      readonly paneId: string;
      readonly xWindow?: string;
    }
  | { readonly application: 'wezterm'; readonly paneId: string }
  /** A window of the X server, without tabs as far as is known; such as `0x1400003`. */
  | { readonly application: 'window'; readonly xWindow: string };

const LONGEST_ID = 20;

/** `undefined` where nothing is told, as over ssh and on the console. */
export function seatPlace(environment: Environment): SeatPlace | undefined {
  const socket = tmuxSocket(environment['TMUX']);
  const [tmuxPane, kittyWindow, weztermPane] = ['TMUX_PANE', 'KITTY_WINDOW_ID', 'WEZTERM_PANE'].map(
    (name) => environment[name],
  );
  if (socket !== undefined && tmuxPane !== undefined && /^%\d+$/.test(tmuxPane)) {
    const session = /,(\d+)$/.exec(environment['TMUX'] ?? '')?.[1] ?? '';
    return { application: 'tmux', socket, windowId: `$${session}`, paneId: tmuxPane };
  }
  // A variable of a terminal on another machine may have come along.
  if (isSet(environment['SSH_TTY']) || isSet(environment['SSH_CONNECTION'])) return undefined;
  const xWindow = windowOf(environment);
  const kittySocket = /^unix:(\/.+)$/.exec(environment['KITTY_LISTEN_ON'] ?? '')?.[1];
  if (kittySocket !== undefined && isNumber(kittyWindow)) {
    return {
      application: 'kitty',
      socket: kittySocket,
      paneId: kittyWindow,
      ...(xWindow === undefined ? {} : { xWindow }),
    };
  }
  if (isNumber(weztermPane)) return { application: 'wezterm', paneId: weztermPane };
  return xWindow === undefined ? undefined : { application: 'window', xWindow };
}

function windowOf(environment: Environment): string | undefined {
  const id = environment['WINDOWID'];
  if (!isSet(environment['DISPLAY']) || !isNumber(id)) return undefined;
  const number = Number(id);
  return number > 0 && number <= 0xffff_ffff ? `0x${number.toString(16)}` : undefined;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.length <= LONGEST_ID && /^\d+$/.test(text);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
