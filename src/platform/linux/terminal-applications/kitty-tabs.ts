import type { ShownTab, TabControl } from '../../../ports/terminals/terminal-applications.ts';
import { field, identifier, listed, parseJson, textField } from './printed-json.ts';

/** See kitty(1) 0.26.5 and its remote-control page: --listen-on, `kitty @ launch`, `ls`, `focus-window`. */
export const KITTY_TABS: TabControl = {
  openFirst: ({ command }, { socket }) => [
    'kitty',
    // Not over the terminal itself: programs in it could then type into every window.
    '--override=allow_remote_control=socket-only',
    `--listen-on=unix:${socket}`,
    ...command,
  ],
  openWindow: ({ command }, { socket }) => [
    ...at(socket),
    'launch',
    '--type=os-window',
    '--keep-focus',
    ...command,
  ],
  openTab: ({ command }, { socket }, { tabId }) => [
    ...at(socket),
    'launch',
    '--type=tab',
    '--keep-focus',
    `--match=id:${tabId}`,
    ...command,
  ],
  list: ({ socket }) => [...at(socket), 'ls'],
  parseList: (printed) =>
    listed(parseJson(printed)).flatMap((osWindow) =>
      listed(field(osWindow, 'tabs')).flatMap((tab) =>
        listed(field(tab, 'windows')).flatMap((window) => shown(osWindow, tab, window)),
      ),
    ),
  focus: ({ socket }, paneId) => [...at(socket), 'focus-window', `--match=id:${paneId}`],
};

function at(socket: string) {
  return ['kitty', '@', `--to=unix:${socket}`] as const;
}

function shown(osWindow: unknown, tab: unknown, window: unknown): readonly ShownTab[] {
  const [windowId, tabId, paneId] = [osWindow, tab, window].map((one) => identifier(one, 'id'));
  if (windowId === undefined || tabId === undefined || paneId === undefined) return [];
  return [{ windowId, tabId, paneId, title: textField(window, 'title') }];
}
