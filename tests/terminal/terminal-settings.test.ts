import { expect, it } from 'vitest';
import { terminalLogFolders } from '../../src/terminal/sessions/terminal-logs.ts';
import { settingsWith } from './support/settings.ts';

it('are the defaults of the terminator tool, except for the focus, which depends on the dialect', () => {
  expect(settingsWith()).toMatchObject({
    app: 'auto',
    logLevel: 'info',
    logDirectory: '',
    windowGrouping: 'smart',
    lines: 100,
    backgroundStartupSeconds: 5,
    foregroundCompletionSeconds: 60,
    focus: undefined,
    background: false,
    notify: 'none',
    waits: { interruptMs: 2000, terminateMs: 2000 },
  });
});

it('record whether the focus was configured', () => {
  expect(settingsWith({ default_focus_on_action: false }).focus).toBe(false);
  expect(settingsWith({ default_focus_on_action: true }).focus).toBe(true);
});

it('are reported under the names they were set by', () => {
  const said = { app: 'kitty', default_lines: 7, sigterm_wait_seconds: 0, log_dir: '~/x' } as const;
  expect(settingsWith(said).configured).toMatchObject(said);
  expect(Object.keys(settingsWith().configured)).toHaveLength(12);
});

it.each([
  ['', ['/cache/logs', '/run/user/7/deskterity-terminal']],
  ['SYSTEM_TEMP', ['/run/user/7/deskterity-terminal']],
  ['~', ['/home/me']],
  ['~/logs/x', ['/home/me/logs/x']],
  ['~you/logs', ['/work/~you/logs']],
  ['/var/log/mine', ['/var/log/mine']],
  ['logs', ['/work/logs']],
] as const)('a log folder %j means %j', (asked, folders) => {
  const places = { usual: '/cache/logs', home: '/home/me', temporary: '/run/user/7', cwd: '/work' };
  expect(terminalLogFolders(asked, places)).toEqual(folders);
});
