import type {
  Argv,
  ControlPlace,
  OpenRequest,
  TabControl,
} from '../../../ports/terminals/terminal-applications.ts';

const FORMAT = '#{session_id} #{window_id} #{pane_id} #{pane_title}';
const LINE = /^(\$\d+) (@\d+) (%\d+) (.*)$/;

/**
 * By tmux(1) 3.3a, and tried with it: -d leaves in front what is there, several arguments keep the shell out. A tab is a window of tmux, and a window
 * a session of it: one of our own would be seen by nobody, so that all begin in the one that the caller is in. `place.socket` is that of {@link tmuxSocket}.
 */
export const TMUX_TABS: TabControl = {
  openFirst: (request, place) => openIn([], request, place),
  openWindow: (request, place) => openIn([], request, place),
  // With a colon it is a session that is meant, not a window.
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

/** The socket in the variable `TMUX` of what runs in tmux: `socket,pid,session`. */
export function tmuxSocket(variable: string | undefined): string | undefined {
  const socket = variable?.split(',').slice(0, -2).join(',');
  return socket === undefined || !socket.startsWith('/') ? undefined : socket;
}

/** What is expanded in a name: `##` is `#`. */
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
    ...tmuxWords(command),
  ];
}

/** A word that ends with a semicolon would end the command of tmux. */
export function tmuxWords(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/;$/, String.raw`\;`));
}
