import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { TERMINAL_APP_CHOICES } from '../../../../src/model/terminals/terminal-app.ts';
import type { TerminalAppChoice } from '../../../../src/model/terminals/terminal-app.ts';
import { chooseApplication } from '../../../../src/platform/linux/terminal-applications/linux-terminal-applications.ts';
import type { ApplicationFacts } from '../../../../src/platform/linux/terminal-applications/linux-terminal-applications.ts';
import { KITTY_TABS } from '../../../../src/platform/linux/terminal-applications/kitty-tabs.ts';
import { placeSession } from '../../../../src/terminal/windows/place-session.ts';
import { TERMINAL_APPLICATIONS } from '../../../../src/platform/linux/terminal-applications/terminal-applications.ts';
import { sessionTitle } from '../../../../src/terminal/windows/terminal-title.ts';
import { TMUX_TABS, tmuxSocket } from '../../../../src/platform/linux/terminal-applications/tmux-tabs.ts';
import { WEZTERM_TABS } from '../../../../src/platform/linux/terminal-applications/wezterm-tabs.ts';

const command = ['/usr/bin/node', '/opt/desk.cjs', 'terminal', 'attach', "--tag=it's $(x); --"] as const;
const title = sessionTitle({ projectPath: '/srv/app', tag: 'api' }, { ttyPath: '/dev/pts/3', pid: 7 });
const request = { command, title };
const place = { socket: '/run/user/7/deskterity/terminals', group: 'deskterity' };
const beside = { windowId: '3', tabId: '4', paneId: '5', title: '' };

function application(name: TerminalAppChoice) {
  const found = TERMINAL_APPLICATIONS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

describe('the table', () => {
  it('has every application that can be chosen, once', () => {
    const names = TERMINAL_APPLICATIONS.map(({ name }) => name);
    expect(['auto', ...names].toSorted()).toEqual([...TERMINAL_APP_CHOICES].toSorted());
  });

  it.each(TERMINAL_APPLICATIONS.map((one) => [one.name, one] as const))(
    '%s starts its own program, and the command is its last arguments, word for word',
    (_, one) => {
      const lines = [
        one.openWindow(request),
        ...(one.tabs === undefined
          ? []
          : [
              one.tabs.openFirst(request, place),
              one.tabs.openWindow(request, place),
              one.tabs.openTab(request, place, beside),
            ]),
      ];
      for (const line of lines) {
        expect(line[0]).toBe(one.program);
        expect(line.slice(-command.length)).toEqual(command);
      }
      const words = one.openWindow(request).slice(1, -command.length);
      // The others take the title from the program that runs in them.
      const takesTitle = !['kitty', 'wezterm', 'konsole'].includes(one.name);
      expect(words.some((word) => word.includes(title))).toBe(takesTitle);
    },
  );
});

describe('command lines', () => {
  it.each<[TerminalAppChoice, readonly string[]]>([
    ['xterm', ['xterm', '-title', title, '-n', title, '-e']],
    ['alacritty', ['alacritty', '--title', title, '-e']],
    ['foot', ['foot', `--title=${title}`]],
    ['gnome-terminal', ['gnome-terminal', '--window', `--title=${title}`, '--']],
    ['konsole', ['konsole', '--separate', '-p', 'LocalTabTitleFormat=%w', '-e']],
    ['ghostty', ['ghostty', '--gtk-single-instance=false', `--title=${title}`, '-e']],
    ['kitty', ['kitty']],
    ['wezterm', ['wezterm', 'start', '--always-new-process', '--']],
    ['tmux', ['tmux', 'new-window', '-d', '-n', title, '--']],
  ])('of %s', (name, words) => {
    expect(application(name).openWindow(request)).toEqual([...words, ...command]);
  });

  it('of tmux has no argument that would end it', () => {
    const line = application('tmux').openWindow({ title, command: ['desk', '/srv/a;'] });
    expect(line.slice(-2)).toEqual(['desk', String.raw`/srv/a\;`]);
  });

  it('of tabs', () => {
    const to = '--to=unix:/run/user/7/deskterity/terminals';
    expect(KITTY_TABS.openTab(request, place, beside)).toEqual([
      'kitty',
      '@',
      to,
      'launch',
      '--type=tab',
      '--keep-focus',
      '--match=id:4',
      ...command,
    ]);
    expect(KITTY_TABS.focus(place, '5')).toEqual(['kitty', '@', to, 'focus-window', '--match=id:5']);
    expect(WEZTERM_TABS.openTab(request, place, beside)).toEqual([
      'wezterm',
      'cli',
      '--class=deskterity',
      'spawn',
      '--window-id=3',
      '--',
      ...command,
    ]);
    expect(WEZTERM_TABS.focus(place, '5')).toEqual([
      'wezterm',
      'cli',
      '--class=deskterity',
      'activate-pane',
      '--pane-id=5',
    ]);
  });
});

describe('a list', () => {
  it('of kitty has every window of every tab', () => {
    const printed = JSON.stringify([
      {
        id: 1,
        tabs: [
          {
            id: 2,
            title: 'tab',
            windows: [
              { id: 3, title, pid: 9 },
              { id: 4, title: 'other' },
            ],
          },
          { id: 5, windows: [{ id: 6 }] },
        ],
      },
    ]);
    expect(KITTY_TABS.parseList(printed)).toEqual([
      { windowId: '1', tabId: '2', paneId: '3', title },
      { windowId: '1', tabId: '2', paneId: '4', title: 'other' },
      { windowId: '1', tabId: '5', paneId: '6', title: '' },
    ]);
  });

  it('of WezTerm has every pane', () => {
    const printed = JSON.stringify([
      { window_id: 0, tab_id: 1, pane_id: 2, workspace: 'default', title, cwd: '' },
    ]);
    expect(WEZTERM_TABS.parseList(printed)).toEqual([{ windowId: '0', tabId: '1', paneId: '2', title }]);
  });

  it('of tmux has every pane', () => {
    expect(TMUX_TABS.parseList(`$0 @1 %2 ${title}\n$0 @3 %4 a b\nno server running\n`)).toEqual([
      { windowId: '$0', tabId: '@1', paneId: '%2', title },
      { windowId: '$0', tabId: '@3', paneId: '%4', title: 'a b' },
    ]);
  });

  it.each([
    ['kitty', KITTY_TABS],
    ['WezTerm', WEZTERM_TABS],
    ['tmux', TMUX_TABS],
  ])('of %s is empty for any invalid text', (_, tabs) => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (printed) => {
        expect(tabs.parseList(printed)).toEqual([]);
      }),
    );
    expect(
      tabs.parseList('[{"id":"--all","window_id":-1,"tab_id":1.5,"pane_id":"x","tabs":[{"id":1}]}]'),
    ).toEqual([]);
  });
});

it.each([
  ['/tmp/tmux-0/default,123,0', '/tmp/tmux-0/default'],
  ['/tmp/a,b/s,123,0', '/tmp/a,b/s'],
  ['', undefined],
  ['default', undefined],
  [undefined, undefined],
])('the socket of tmux in %j is %j', (variable, socket) => {
  expect(tmuxSocket(variable)).toBe(socket);
});

function choose(
  choice: TerminalAppChoice,
  environment: ApplicationFacts['environment'],
  programs: readonly string[] = TERMINAL_APPLICATIONS.map(({ program }) => program),
) {
  return chooseApplication(choice, { environment, isThere: (program) => programs.includes(program) })?.name;
}

describe('choosing', () => {
  const X11 = { DISPLAY: ':0' };

  it('uses the one that the caller runs in, otherwise the first available', () => {
    expect(choose('auto', X11)).toBe('kitty');
    expect(choose('auto', { ...X11, XTERM_VERSION: 'XTerm(379)' })).toBe('xterm');
    expect(choose('auto', X11, ['xterm', 'konsole', 'foot'])).toBe('konsole');
    expect(choose('auto', { WAYLAND_DISPLAY: 'wayland-0' }, ['xterm', 'foot'])).toBe('foot');
  });

  it('uses none that would not be visible', () => {
    expect(choose('auto', {})).toBeUndefined();
    expect(choose('auto', { TMUX: '/tmp/tmux-0/default,1,0' })).toBe('tmux');
    expect(choose('auto', X11, ['foot', 'tmux'])).toBeUndefined();
  });

  it.each<[TerminalAppChoice, ApplicationFacts['environment'], readonly string[], string]>([
    ['kitty', X11, ['xterm'], 'kitty is not available: its program kitty is not in the PATH.'],
    ['foot', X11, ['foot'], 'WAYLAND_DISPLAY is not set'],
    ['xterm', {}, ['xterm'], 'DISPLAY is not set'],
    ['konsole', {}, ['konsole'], 'DISPLAY and WAYLAND_DISPLAY are not set'],
    ['tmux', X11, ['tmux'], 'not run in tmux'],
  ])('reports why %s is not available', (choice, environment, programs, message) => {
    expect(() => choose(choice, environment, programs)).toThrow(DeskterityError);
    expect(() => choose(choice, environment, programs)).toThrow(message);
  });
});

describe('a place for a session', () => {
  const tab = (windowId: string, paneId: string, projectPath: string, tag: string) => ({
    windowId,
    tabId: paneId,
    paneId,
    title: sessionTitle({ projectPath, tag }, { ttyPath: '/dev/pts/1', pid: 1 }),
  });
  const app = { projectPath: '/srv/app', tag: 'api' };
  const tabs = [
    tab('1', '10', '/srv/other', 'x'),
    tab('2', '20', '/srv/app', 'build'),
    tab('3', '30', '/srv/other', 'y'),
    tab('3', '31', '/srv/app', 'test'),
    { windowId: '4', tabId: '40', paneId: '40', title: 'vim' },
  ];

  it.each(['off', 'project', 'smart'] as const)('is where it is already shown: %s', (grouping) => {
    const shown = tab('9', '90', '/srv/app', 'api');
    expect(placeSession(app, grouping, [...tabs, shown])).toEqual({ type: 'shown', tab: shown });
  });

  it('is a separate window without grouping', () => {
    expect(placeSession(app, 'off', tabs)).toEqual({ type: 'window' });
  });

  it.each(['project', 'smart'] as const)('is with its project, where most sessions are: %s', (grouping) => {
    expect(placeSession(app, grouping, tabs)).toMatchObject({
      type: 'tab',
      beside: { windowId: '3', paneId: '31' },
    });
  });

  it('is grouped only in smart mode', () => {
    const lone = { projectPath: '/srv/new', tag: 'new' };
    expect(placeSession(lone, 'project', tabs)).toEqual({ type: 'window' });
    expect(placeSession(lone, 'smart', tabs)).toMatchObject({ type: 'tab', beside: { windowId: '3' } });
    expect(placeSession(lone, 'smart', tabs.slice(-1))).toEqual({ type: 'window' });
  });
});
