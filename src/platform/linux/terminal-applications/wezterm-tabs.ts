import { identifier, listed, parseJson, textField } from './printed-json.ts';
import type { TabControl } from '../../../ports/terminals/terminal-applications.ts';

/** See wezterm.org: cli/start, cli/cli, cli/cli/spawn, cli/cli/list, cli/cli/activate-pane (since 20230326). */
export const WEZTERM_TABS: TabControl = {
  openFirst: ({ command }, { group }) => ['wezterm', 'start', `--class=${group}`, '--', ...command],
  openWindow: ({ command }, { group }) => [...inGroup(group), 'spawn', '--new-window', '--', ...command],
  openTab: ({ command }, { group }, { windowId }) => [
    ...inGroup(group),
    'spawn',
    `--window-id=${windowId}`,
    '--',
    ...command,
  ],
  list: ({ group }) => [...inGroup(group), 'list', '--format=json'],
  parseList: (printed) =>
    listed(parseJson(printed)).flatMap((pane) => {
      const [windowId, tabId, paneId] = ['window_id', 'tab_id', 'pane_id'].map((name) =>
        identifier(pane, name),
      );
      if (windowId === undefined || tabId === undefined || paneId === undefined) return [];
      return [{ windowId, tabId, paneId, title: textField(pane, 'title') }];
    }),
  focus: ({ group }, paneId) => [...inGroup(group), 'activate-pane', `--pane-id=${paneId}`],
};

function inGroup(group: string) {
  return ['wezterm', 'cli', `--class=${group}`] as const;
}
