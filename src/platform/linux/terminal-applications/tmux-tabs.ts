import type {
  Argv,
  ControlPlace,
  OpenRequest,
  TabControl,
} from '../../../ports/terminals/terminal-applications.ts';

const FORMAT = '#{session_id} #{window_id} #{pane_id} #{pane_title}';
const LINE = /^(\$\d+) (@\d+) (%\d+) (.*)$/;

/**
 * See tmux(1) 3.3a; tested: -d keeps the current window in front, and several arguments avoid a shell. A tab is a tmux window, and a window
 * is a tmux session. Nobody would see a session of our own, so all tabs open in the caller's. `place.socket` is from {@link tmuxSocket}.
 */
export const TMUX_TABS: TabControl = {
  openFirst: (request, place) => openIn([], request, place),
  openWindow: (request, place) => openIn([], request, place),
  // The colon makes it a session name, not a window name.
  openTab: (request, place, { windowId }) => openIn(['-t', `${windowId}:`], request, place),
  list: ({ socket }) => ['tmux', '-S', socket, 'list-panes', '-a', '-F', FORMAT],
  parseList: (printed) =>
    printed.split('\n').flatMap((line) => {
      const [, windowId, tabId, paneId, title] = LINE.exec(line) ?? [];
      if (windowId === undefined || tabId === undefined || paneId === undefined) return [];
      return [{ windowId, tabId, paneId, title: title ?? '' }];
    }),
  focus: ({ socket }, paneId) => ['tmux', '-S', socket, 'select-window', '-t', paneId],
};

/** The socket from the `TMUX` variable, whose value is `socket,pid,session`. */
export function tmuxSocket(variable: string | undefined): string | undefined {
  const socket = variable?.split(',').slice(0, -2).join(',');
  return socket === undefined || !socket.startsWith('/') ? undefined : socket;
}

/** Escapes a window name, in which tmux expands formats. */
export function tmuxName(title: string): string {
  return title.replaceAll('#', '##');
}

function openIn(target: readonly string[], { command, title }: OpenRequest, { socket }: ControlPlace): Argv {
  return [
    'tmux',
    '-S',
    socket,
    'new-window',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-n',
    tmuxName(title),
    ...target,
    '--',
    ...tmuxArguments(command),
  ];
}

/** Escapes arguments: a final semicolon would end the tmux command. */
export function tmuxArguments(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/;$/, String.raw`\;`));
}
