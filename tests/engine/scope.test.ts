import { describe, expect, it, vi } from 'vitest';
import { chooseApp, frontmost } from '../../src/engine/refs/scope.ts';
import type { DesktopApp, DesktopWindow } from '../../src/ports/desktop/windows.ts';
import { app, button, DEADLINE, failureOf, refsByName, stage, windowWith } from './support/stage.ts';

const listed = (name: string, pid: number): DesktopApp => ({
  id: `:1.${pid}`,
  name,
  pid,
  accessible: true,
  responsive: true,
});
const APPS = [listed('Editor', 10), listed('Text Editor', 20), listed('Mail', 30), listed('Mail', 40)];

describe('an application', () => {
  it.each([
    ['Editor', 10],
    ['editor', 10],
    [' TEXT EDITOR ', 20],
    ['text', 20],
    ['20', 20],
    ['40', 40],
  ])('%j is the one with pid %i', (wanted, pid) => {
    expect(chooseApp(APPS, wanted).pid).toBe(pid);
  });

  it('is found by the name of its program, if no application is called so', () => {
    const browser: DesktopApp = { ...listed('DB Browser for SQLite', 70), program: 'sqlitebrowser' };
    expect(chooseApp([...APPS, browser], 'SQLiteBrowser').pid).toBe(70);
    expect(chooseApp([...APPS, { ...browser, program: 'editor' }], 'editor').pid).toBe(10);
    expect(() => chooseApp([...APPS, browser], 'sqlite3')).toThrow(
      expect.objectContaining({ code: 'APP_NOT_FOUND' }),
    );
  });

  it('with two processes of one name is ambiguous, with their pids', () => {
    expect(() => chooseApp(APPS, 'mail')).toThrow(
      expect.objectContaining({
        code: 'AMBIGUOUS_APP',
        candidates: [
          { name: 'Mail', pid: 30 },
          { name: 'Mail', pid: 40 },
        ],
      }),
    );
    expect(() => chooseApp(APPS, 'i')).toThrow(expect.objectContaining({ code: 'AMBIGUOUS_APP' }));
  });

  it('that is registered twice with one process counts once', () => {
    expect(chooseApp([listed('Browser', 50), listed('Browser', 50)], 'browser').pid).toBe(50);
  });

  it('named by digits is found if no process has that pid', () => {
    expect(chooseApp([listed('2048', 60)], '2048').pid).toBe(60);
  });

  it.each(['Nothing', '', ' ', '99'])('%j that is not running lists what is', (wanted) => {
    expect(() => chooseApp(APPS, wanted)).toThrow(
      expect.objectContaining({
        code: 'APP_NOT_FOUND',
        candidates: expect.arrayContaining([{ name: 'Editor', pid: 10 }]),
      }),
    );
  });
});

describe('a window of a named application', () => {
  it('is looked for at the same time as its application, so that a platform looks once for both', async () => {
    const on = await stage([app({ windows: [windowWith([button('ok', 'OK')])] })]);
    const lists: string[] = [];
    const listApps = on.desktop.listApps.bind(on.desktop);
    vi.spyOn(on.desktop, 'listApps').mockImplementation(async (options) => {
      lists.push('applications begin');
      const found = await listApps(options);
      lists.push('applications end');
      return found;
    });
    const listWindows = on.desktop.listWindows.bind(on.desktop);
    vi.spyOn(on.desktop, 'listWindows').mockImplementation(async (options) => {
      lists.push('windows begin');
      return listWindows(options);
    });
    const request = { ...DEADLINE, app: 'Editor', interactiveOnly: false, compact: false } as const;
    await on.engine.snapshot({
      ...request,
      includeBounds: false,
      includeActions: false,
      wholeTree: false,
      form: 'json',
    });
    expect(lists.slice(0, 3)).toEqual(['applications begin', 'windows begin', 'applications end']);
  });
});

describe('a window', () => {
  const open = () =>
    stage([
      app({
        windows: [
          windowWith([button('a', 'In A')], { id: 'x11:0xa', title: 'Report.txt' }),
          windowWith([button('b', 'In B')], { id: 'x11:0xb', title: 'Report.txt (copy)' }),
        ],
      }),
      app({
        id: 'mail',
        name: 'Mail',
        pid: 200,
        windows: [windowWith([], { id: 'x11:0xc', title: 'Inbox', focused: true })],
      }),
    ]);
  const titleOf = async (scope: { app?: string; window?: string }): Promise<string> =>
    (await open()).engine.title({ ...DEADLINE, ...scope });

  it.each<[{ app?: string; window?: string }, string]>([
    [{}, 'Inbox'],
    [{ app: 'Editor' }, 'Report.txt (copy)'],
    [{ app: '100', window: 'report.TXT' }, 'Report.txt'],
    [{ window: 'copy' }, 'Report.txt (copy)'],
    [{ window: 'x11:0xa' }, 'Report.txt'],
    [{ window: 'Inb' }, 'Inbox'],
  ])('%j is %j', async (scope, title) => {
    expect(await titleOf(scope)).toBe(title);
  });

  it('is found by its ref from a list', async () => {
    const { engine } = await open();
    const windows = await engine.listWindows({ ...DEADLINE, focusedOnly: false, includeMinimized: true });
    for (const { ref, title } of windows)
      for (const spelling of [ref, ref.slice(1)])
        expect(await engine.title({ ...DEADLINE, window: spelling })).toBe(title);
  });

  it('of a closed ref, or an unknown title, is not found', async () => {
    const { engine, world } = await open();
    const windows = await engine.listWindows({ ...DEADLINE, focusedOnly: true, includeMinimized: false });
    world.apps.pop();
    for (const window of [windows[0]?.ref, '@w77', 'Nothing', ''])
      expect(await failureOf(engine.title({ ...DEADLINE, window }))).toMatchObject({
        code: 'WINDOW_NOT_FOUND',
      });
  });

  it('of a part of two titles is ambiguous, with candidates', async () => {
    expect(await failureOf(titleOf({ window: 'rep' }))).toMatchObject({
      code: 'AMBIGUOUS_TARGET',
      candidates: [{ name: 'Report.txt' }, { name: 'Report.txt (copy)' }],
    });
  });

  it('of another application is not found in this one', async () => {
    expect(await failureOf(titleOf({ app: 'Mail', window: 'Report.txt' }))).toMatchObject({
      code: 'WINDOW_NOT_FOUND',
    });
  });

  it('is the only one that is read if it is named', async () => {
    const { engine } = await open();
    expect([...(await refsByName(engine, { window: 'x11:0xa' })).keys()]).toEqual(['Report.txt', 'In A']);
  });

  it('is missing, with a suggestion, if nothing is open', async () => {
    const { engine } = await stage([app({})]);
    expect(await failureOf(engine.title(DEADLINE))).toMatchObject({ code: 'WINDOW_NOT_FOUND' });
    expect(await failureOf(engine.title({ ...DEADLINE, app: 'Editor' }))).toMatchObject({
      code: 'WINDOW_NOT_FOUND',
      retryable: true,
    });
  });
});

describe('the default window', () => {
  const window = (id: string, changes: Partial<DesktopWindow>): DesktopWindow => ({
    id,
    title: id,
    appId: 'app',
    appName: 'App',
    pid: 1,
    focused: false,
    minimized: false,
    accessible: true,
    ...changes,
  });
  it.each<[string, DesktopWindow[], string | undefined]>([
    ['none', [], undefined],
    ['the focused one', [window('a', { stacking: 9 }), window('b', { focused: true, stacking: 1 })], 'b'],
    ['the highest', [window('a', { stacking: 1 }), window('b', { stacking: 2 })], 'b'],
    [
      'a readable one before a higher one',
      [window('a', { stacking: 1 }), window('b', { stacking: 9, accessible: false })],
      'a',
    ],
    [
      'one that is shown before a minimised one',
      [window('a', { accessible: false }), window('b', { minimized: true })],
      'a',
    ],
    ['the first of equals', [window('a', {}), window('b', {})], 'a'],
  ])('is %s', (_, windows, expected) => {
    expect(frontmost(windows)?.id).toBe(expected);
  });
});
