import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { app, button, oneWindow } from '../../engine/support/stage.ts';
import { answerOf, fakeCalls, inspector, simulatedCalls } from './inspect-support.ts';
import { TREE, WINDOW } from '../../commands/samples.ts';

const on = inspector(fakeCalls((command) => Promise.reject(new Error(`${command} was not expected`))));

describe('invalid parameters', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    ['get_ui_tree', {}, 'The parameter "app" is missing.', 'Pass app as text'],
    ['get_ui_tree', { application: 'x' }, 'Unknown parameter "application".', 'Did you mean "app"? '],
    ['get_ui_tree', { app: 'x', deph: 2 }, 'Unknown parameter "deph".', 'Did you mean "depth"? '],
    ['get_ui_tree', { app: 'x', max_results: 2 }, 'Unknown parameter "max_results".', 'Parameters are app,'],
    ['get_ui_tree', { app: '' }, 'The parameter "app" is "".', 'or a positive whole number.'],
    ['get_ui_tree', { app: ' ' }, 'The parameter "app" is " ".', 'text of 1 to 256 characters'],
    ['get_ui_tree', { app: 1.5 }, 'The parameter "app" is 1.5.', 'Pass app'],
    ['get_ui_tree', { app: -1 }, 'The parameter "app" is -1.', 'Pass app'],
    ['get_ui_tree', { app: null }, 'The parameter "app" is null.', 'Pass app'],
    ['get_ui_tree', { app: ['x'] }, 'The parameter "app" is a list of 1.', 'Pass app'],
    ['get_ui_tree', { app: 'x', depth: -1 }, 'The parameter "depth" is -1.', 'a whole number from 1 to 100'],
    [
      'get_ui_tree',
      { app: 'x', depth: '3' },
      'The parameter "depth" is "3".',
      'a whole number from 1 to 100',
    ],
    ['get_ui_tree', { app: 'x', depth: 1e9 }, 'The parameter "depth" is 1000000000.', 'from 1 to 100'],
    [
      'get_ui_tree',
      { app: 'x', include_attributes: ['title', 'colour'] },
      'The parameter "include_attributes" has "colour", which is not a valid attribute.',
      'Attributes are role, title, value, identifier, description, enabled, focused, position, size, actions, children.',
    ],
    [
      'get_ui_tree',
      { app: 'x', include_attributes: ['titel'] },
      'The parameter "include_attributes" has "titel", which is not a valid attribute.',
      'Did you mean "title"? ',
    ],
    [
      'get_ui_tree',
      { app: 'x', include_attributes: 'title' },
      'The parameter "include_attributes" is "title".',
      'a list of names',
    ],
    [
      'get_ui_tree',
      { app: 'x', filter_roles: ['button', 'buton'] },
      'The parameter "filter_roles" has "buton", which is not a valid role.',
      'Did you mean "button"? ',
    ],
    ['find_element', { role: 'button' }, 'The parameter "app" is missing.', 'Pass app'],
    [
      'find_element',
      { app: 'x', role: 'knob' },
      'The parameter "role" has "knob", which is not a valid role.',
      'Use an ARIA role',
    ],
    ['find_element', { app: 'x', title: '' }, 'The parameter "title" is "".', 'text of 1 to 1000 characters'],
    ['find_element', { app: 'x', max_results: 0 }, 'The parameter "max_results" is 0.', 'from 1 to 500'],
    ['get_focused_element', { app: {} }, 'The parameter "app" is an object.', 'Pass app'],
    [
      'list_windows',
      { include_minimized: 'yes' },
      'The parameter "include_minimized" is "yes".',
      'Pass include_minimized as true or false.',
    ],
  ])('%s %j', async (name, input, message, guidance) => {
    const failure = await on.failure(name, input);
    expect(failure).toMatchObject({ error_type: 'invalid_parameters', message });
    expect(failure['guidance']).toContain(guidance);
  });

  it('are not repeated at length or with invisible characters', async () => {
    const huge = 'x'.repeat(5_000_000);
    for (const input of [
      { app: huge },
      { app: 'x', [huge]: 1 },
      { app: 'x', filter_roles: [huge] },
      { app: 'x', include_attributes: Array.from({ length: 100_000 }, () => huge) },
    ])
      expect(JSON.stringify(await on.failure('get_ui_tree', input)).length).toBeLessThan(1500);
    expect(await on.failure('get_ui_tree', { app: 'x', '\u{202E}ppa': 1 })).toMatchObject({
      message: String.raw`Unknown parameter "\u{202E}ppa".`,
    });
  });
});

describe('a call that fails', () => {
  const denied = new DeskterityError('PERM_DENIED', 'The accessibility bus refuses.', {
    suggestion: 'Allow it in the settings.',
  });

  it('says why in the form of the dialect', async () => {
    const closed = inspector(fakeCalls(() => Promise.reject(denied)));
    for (const name of ['get_ui_tree', 'find_element', 'get_focused_element', 'list_windows'])
      expect(await closed.failure(name, { app: 'Editor' })).toEqual({
        operation: name,
        error_type: 'permission_denied',
        message: 'The accessibility bus refuses.',
        app: 'Editor',
        guidance: 'Allow it in the settings.',
      });
  });

  it('does not hide a bug in the program', async () => {
    await expect(on.call('list_windows', {})).rejects.toThrow('list-windows was not expected');
  });

  it.each([
    ['get_ui_tree', 'tree'],
    ['find_element', 'search'],
    ['get_focused_element', 'focused'],
    ['list_windows', 'windows'],
  ] as const)('%s ends at its deadline and passes it to the command', async (name, kind) => {
    const given: unknown[] = [];
    const hanging = fakeCalls(
      (_, { timeout_ms }, { signal }) =>
        new Promise((_resolve, reject) => {
          given.push(timeout_ms);
          signal?.addEventListener('abort', () =>
            reject(new DeskterityError('CANCELLED', 'It was cancelled.', { suggestion: 'Repeat it.' })),
          );
        }),
    );
    expect(await inspector(hanging, { [kind]: 30 }).failure(name, { app: 'Editor' })).toMatchObject({
      error_type: 'timeout',
      message: `${name} did not end within 30 ms.`,
    });
    for (const timeoutMs of given) expect(timeoutMs).toBeLessThanOrEqual(30);
    const cancel = new AbortController();
    const cancelled = inspector(hanging).failure(name, { app: 'Editor' }, cancel.signal);
    cancel.abort();
    expect(await cancelled).toMatchObject({ error_type: 'cancelled' });
    expect(given.at(-1)).toBeGreaterThan(500);
  });

  it('of a frozen application fails for that application only', async () => {
    const { calls, world } = simulatedCalls([
      ...oneWindow([button('save', 'Save')]),
      app({ id: 'other', name: 'Other', pid: 2, windows: oneWindow([])[0]?.windows ?? [] }),
    ]);
    world.freeze('app', 60_000);
    expect(await inspector(calls).failure('get_ui_tree', { app: 'Editor' })).toMatchObject({
      error_type: 'application_unresponsive',
    });
  });
});

describe('a partial answer of an application', () => {
  it('is returned as partial', async () => {
    const second = { ...WINDOW, ref: '@w9', id: 'x11:0x1400009', title: 'Second', focused: false };
    const gone = new DeskterityError('WINDOW_NOT_FOUND', 'It is closed.', { suggestion: 'Look again.' });
    const calls = fakeCalls(async (command, { window }) => {
      if (command === 'list-windows') return answerOf({ private_desktop: ':7', windows: [WINDOW, second] });
      if (window === '@w9') throw gone;
      return answerOf({ window: WINDOW, tree: TREE, complete: false });
    });
    expect(await inspector(calls).ok('get_ui_tree', { app: 'KCalc' })).toMatchObject({
      private_desktop: ':7',
      has_more_results: true,
      guidance: 'Not read: window[1]. Partially read: window[0]; call again.',
      tree: { children: [{ children: [{}, {}] }, { title: 'Second', has_more_children: true }] },
    });
    expect(await inspector(calls).ok('find_element', { app: 'KCalc', title: '7' })).toMatchObject({
      count: 1,
      has_more_results: true,
      guidance: 'Part of the application could not be read: call again.',
    });
  });

  it('makes a search inconclusive', async () => {
    const calls = fakeCalls(async (command) =>
      answerOf(
        command === 'list-windows' ? { windows: [WINDOW] } : { window: WINDOW, tree: TREE, complete: false },
      ),
    );
    expect(await inspector(calls).ok('find_element', { app: 'KCalc', title: 'Zebra' })).toMatchObject({
      count: 0,
      has_more_results: true,
      guidance: expect.stringMatching(/^Part of the application could not be read/),
    });
  });

  it('includes a focused element that trees omit', async () => {
    const calls = fakeCalls(async (command) =>
      answerOf(
        command === 'list-windows'
          ? { windows: [WINDOW] }
          : command === 'focused'
            ? { element: { ref: '@e1', role: 'generic', identifier: 'canvas', states: ['focused'] } }
            : { window: WINDOW, tree: { role: 'window', name: 'Calculator' }, complete: true },
      ),
    );
    expect(await inspector(calls).ok('get_focused_element', {})).toMatchObject({
      app: 'KCalc',
      element: { path: 'window[0]//generic', identifier: 'canvas', focused: true },
    });
  });

  it('is searched by exact identifier', async () => {
    const tree = {
      role: 'window',
      children: [
        { role: 'button', identifier: 'ok' },
        { role: 'button', identifier: 'ok-all' },
      ],
    };
    const calls = fakeCalls(async (command) =>
      answerOf(command === 'list-windows' ? { windows: [WINDOW] } : { window: WINDOW, tree, complete: true }),
    );
    expect(await inspector(calls).ok('find_element', { app: 'KCalc', identifier: 'ok' })).toMatchObject({
      count: 1,
      elements: [{ path: 'window[0]/button[0]' }],
    });
  });
});
