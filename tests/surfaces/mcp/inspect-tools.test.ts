import { describe, expect, it } from 'vitest';
import {
  INSPECT_TIMEOUTS_MS,
  inspectTools,
} from '../../../src/surfaces/mcp/dialects/inspect/inspect-tools.ts';
import type { SimulatedApp, SimulatedNode } from '../../simulated/simulated-world.ts';
import { app, button, windowWith } from '../../engine/support/stage.ts';
import type { RequestChannel } from '../../../src/surfaces/mcp/connections/connection.ts';
import { fakeCalls, inspector, simulatedCalls, voice } from './inspect-support.ts';

const NAME: SimulatedNode = {
  id: 'name',
  role: 'textbox',
  name: 'Name',
  value: 'Ada',
  states: ['focused'],
  bounds: { x: 5, y: 6, width: 70, height: 8 },
};

function editor(more: SimulatedNode[] = []): SimulatedApp {
  return app({
    name: 'Editor',
    pid: 100,
    windows: [
      windowWith([button('yes', 'Save all')], { id: 'a', title: 'Question' }),
      windowWith(
        [
          {
            id: 'bar-1',
            role: 'toolbar',
            name: 'Main',
            children: [button('save', 'Save'), button('open', 'Open')],
          },
          {
            id: 'bar-2',
            role: 'toolbar',
            name: 'Format',
            children: [
              button('bold', 'Bold', { role: 'togglebutton', states: ['pressed'] }),
              button('off', 'Save as', { states: ['disabled'] }),
            ],
          },
          NAME,
          ...more,
        ],
        { id: 'b', title: 'Document', focused: true },
      ),
      windowWith([], { id: 'c', title: 'Notes', minimized: true }),
    ],
  });
}

const TWIN_A = app({ id: 'twin-a', name: 'Viewer', pid: 7, windows: [windowWith([], { id: 'va' })] });
const TWIN_B = app({ id: 'twin-b', name: 'Viewer', pid: 8, windows: [windowWith([], { id: 'vb' })] });

function onDesktop(...apps: SimulatedApp[]) {
  return inspector(simulatedCalls(apps.length === 0 ? [editor()] : apps).calls);
}

describe('the tools of the dialect', () => {
  const definitions = inspectTools(fakeCalls(() => Promise.reject(new Error('not used')))).map(
    ({ definition }) => definition,
  );

  it('have the names, parameters and defaults of their specification', () => {
    expect(definitions.map(({ name }) => name)).toEqual([
      'get_ui_tree',
      'find_element',
      'get_focused_element',
      'list_windows',
    ]);
    const parameters = Object.fromEntries(
      definitions.map(({ name, inputSchema: { properties, required = [] } }) => [
        name,
        { all: Object.keys(properties ?? {}), required },
      ]),
    );
    expect(parameters).toEqual({
      get_ui_tree: { all: ['app', 'depth', 'include_attributes', 'filter_roles'], required: ['app'] },
      find_element: {
        all: ['app', 'role', 'title', 'value', 'identifier', 'max_results'],
        required: ['app'],
      },
      get_focused_element: { all: ['app'], required: [] },
      list_windows: { all: ['app', 'include_minimized'], required: [] },
    });
    expect(definitions.map(({ inputSchema: { properties } }) => properties)).toMatchObject([
      { depth: { type: 'integer', default: 3, minimum: 1, maximum: 100 }, app: { anyOf: [{}, {}] } },
      { max_results: { type: 'integer', default: 20, minimum: 1, maximum: 500 } },
      {},
      { include_minimized: { type: 'boolean', default: false } },
    ]);
  });

  it('are annotated as read-only and require no output fields, so that failures are valid', () => {
    for (const { annotations, outputSchema, inputSchema } of definitions) {
      expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
      expect(inputSchema['additionalProperties']).toBe(false);
      expect(outputSchema?.required).toBeUndefined();
    }
    expect(JSON.stringify(definitions).length).toBeLessThan(6500);
  });

  it('have the deadlines of their specification', () => {
    expect(INSPECT_TIMEOUTS_MS).toEqual({ tree: 5000, search: 2000, focused: 1000, windows: 1000 });
  });

  it('leave out data and schemas for text-only clients and log their duration', async () => {
    const logged: unknown[] = [];
    const [, , , tool] = inspectTools(simulatedCalls([editor()]).calls, { isTextOnly: true });
    expect(tool?.definition).not.toHaveProperty('outputSchema');
    const log: RequestChannel['log'] = (level, logger, data) => logged.push({ level, logger, data });
    expect(await tool?.call({}, voice(undefined, log))).toEqual({
      content: [{ type: 'text', text: expect.stringContaining('"title":"Document"') }],
    });
    await tool?.call({ app: 'Foo' }, voice(undefined, log));
    expect(logged).toEqual([
      {
        level: 'info',
        logger: 'deskterity.tools.list_windows',
        data: { tool: 'list_windows', session: 'test', duration_ms: expect.any(Number) },
      },
      expect.objectContaining({ data: expect.objectContaining({ error: 'APP_NOT_FOUND' }) }),
    ]);
  });
});

describe('get_ui_tree', () => {
  it('returns windows and contents three levels deep, each element with all keys', async () => {
    const answer = await onDesktop().ok('get_ui_tree', { app: 'editor' });
    expect(answer).toMatchObject({
      app: 'Editor',
      pid: 100,
      depth: 3,
      element_count: 12,
      has_more_results: false,
      tree: {
        path: '/',
        role: 'application',
        title: 'Editor',
        children: [
          { path: 'window[0]', title: 'Question', children: [{ path: 'window[0]/button[0]' }] },
          {
            path: 'window[1]',
            title: 'Document',
            children: [
              { path: 'window[1]/toolbar[0]', children: [{}, {}] },
              {
                path: 'window[1]/toolbar[1]',
                children: [
                  { path: 'window[1]/toolbar[1]/togglebutton[0]', title: 'Bold', value: 'true' },
                  { path: 'window[1]/toolbar[1]/button[0]', title: 'Save as', enabled: false },
                ],
              },
              { path: 'window[1]/textbox[0]' },
            ],
          },
          { path: 'window[2]', title: 'Notes', children: [] },
        ],
      },
    });
    expect(answer).not.toHaveProperty('guidance');
    expect(answer).toHaveProperty('tree.children.1.children.2', {
      path: 'window[1]/textbox[0]',
      role: 'textbox',
      title: 'Name',
      value: 'Ada',
      identifier: null,
      description: null,
      enabled: true,
      focused: true,
      position: { x: 5, y: 6 },
      size: { width: 70, height: 8 },
      actions: [],
      children: [],
    });
    expect(answer).toHaveProperty('tree.children.0.children.0.actions', ['click']);
  });

  it('stops at the requested depth and says how to get more', async () => {
    const answer = await onDesktop().ok('get_ui_tree', { app: 100, depth: 2 });
    expect(answer).toMatchObject({
      has_more_results: true,
      guidance: 'There is more below level 2: increase depth.',
      tree: { children: [{}, { children: [{ has_more_children: true, children: [] }, {}, {}] }, {}] },
    });
    const shallow = await onDesktop().ok('get_ui_tree', { app: '100', depth: 1 });
    expect(shallow).toMatchObject({ element_count: 4, tree: { children: [{}, { children: [] }, {}] } });
  });

  it('shows only the requested attributes', async () => {
    const answer = await onDesktop().ok('get_ui_tree', {
      app: 'Editor',
      depth: 1,
      include_attributes: ['title', 'AXPosition'],
    });
    expect(answer).toHaveProperty('tree.children.2', {
      path: 'window[2]',
      role: 'window',
      title: 'Notes',
      position: { x: 0, y: 0 },
      children: [],
    });
  });

  it('shows only the requested roles, by any of their names, at their paths', async () => {
    const answer = await onDesktop().ok('get_ui_tree', {
      app: 'Editor',
      filter_roles: ['AXButton', 'toolbar'],
    });
    expect(answer).toMatchObject({
      element_count: 7,
      tree: {
        role: 'application',
        children: [
          { path: 'window[0]/button[0]' },
          { path: 'window[1]/toolbar[0]', children: [{ title: 'Save' }, { title: 'Open' }] },
          { path: 'window[1]/toolbar[1]', children: [{ title: 'Save as' }] },
        ],
      },
    });
  });

  it('shows at most 500 elements, upper levels first', async () => {
    const rows = Array.from({ length: 40 }, (_, row): SimulatedNode => ({
      id: `row-${row}`,
      role: 'group',
      name: `Row ${row}`,
      children: Array.from({ length: 20 }, (_, at) => button(`b-${row}-${at}`, `${row}.${at}`)),
    }));
    const on = onDesktop(editor(rows));
    const input = { app: 'Editor', include_attributes: ['title'] };
    const { data } = await on.call('get_ui_tree', input);
    const text = await on.written('get_ui_tree', input);
    expect(data).toMatchObject({ element_count: 500, has_more_results: true });
    expect(data['guidance']).toMatch(/^Only the first 500 elements/);
    expect([...text.matchAll(/"path":/g)]).toHaveLength(500);
    // Every row stands there, and one that lacks some of its buttons says so.
    for (let row = 0; row < 40; row++) expect(text).toContain(`"Row ${row}"`);
    expect(text).toContain('"has_more_children":true');
  });

  it('has answers of at most 100 KB, cut between elements, that say so', async () => {
    const long = 'ü"'.repeat(400);
    const rows = Array.from({ length: 150 }, (_, row) => button(`b-${row}`, `${row} ${long}`));
    const on = onDesktop(editor(rows));
    const { data } = await on.call('get_ui_tree', { app: 'Editor' });
    const text = await on.written('get_ui_tree', { app: 'Editor' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(90_000);
    expect(data).toMatchObject({
      has_more_results: true,
      guidance: expect.stringContaining('at most 100 KB'),
    });
    // Fewer attributes make room for more elements.
    const { data: brief } = await on.call('get_ui_tree', { app: 'Editor', include_attributes: ['enabled'] });
    expect(brief).toMatchObject({ element_count: 162, has_more_results: false });
    const { data: found } = await on.call('find_element', { app: 'Editor', title: 'ü', max_results: 500 });
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThanOrEqual(100_000);
    expect(found).toMatchObject({
      has_more_results: true,
      guidance: expect.stringContaining('at most 100 KB'),
    });
  });

  it('shows an unreadable window by its title, and fails if no window is readable', async () => {
    const dumb = { ...windowWith([], { id: 'z', title: 'Canvas' }), root: undefined };
    const some = onDesktop(app({ name: 'Paint', windows: [windowWith([], { id: 'y' }), dumb] }));
    expect(await some.ok('get_ui_tree', { app: 'Paint' })).toMatchObject({
      has_more_results: true,
      guidance: 'Not read: window[1].',
      tree: { children: [{ title: 'Document' }, { title: 'Canvas', has_more_children: true }] },
    });
    const none = onDesktop(app({ name: 'Paint', windows: [dumb] }));
    expect(await none.failure('get_ui_tree', { app: 'Paint' })).toMatchObject({
      error_type: 'not_accessible',
      guidance: 'It shows no accessibility tree.',
      app: 'Paint',
    });
  });

  it('is an application without windows if it has none', async () => {
    expect(await onDesktop(app({ name: 'Tray', pid: 3 })).ok('get_ui_tree', { app: 3 })).toMatchObject({
      app: '3',
      pid: 3,
      element_count: 1,
      has_more_results: false,
      tree: { children: [] },
    });
  });

  it('shows invisible characters in an application’s texts', async () => {
    const on = onDesktop(editor([button('evil', 'Pay\u{202E}now\u{200B}\u0007')]));
    const { data } = await on.call('get_ui_tree', { app: 'Editor' });
    const text = await on.written('get_ui_tree', { app: 'Editor' });
    expect(text).toContain(String.raw`Pay\u202enow\u200b\u0007`);
    expect(JSON.stringify(data)).toContain('Pay\u{202E}now');
  });
});

describe('find_element', () => {
  it('finds elements that match all criteria, ignoring case, the active window first', async () => {
    const on = onDesktop();
    expect(await on.ok('find_element', { app: 'Editor', title: 'SAVE' })).toMatchObject({
      app: 'Editor',
      pid: 100,
      count: 3,
      has_more_results: false,
      elements: [
        { path: 'window[1]/toolbar[0]/button[0]', title: 'Save', actions: ['click'], children: [] },
        { path: 'window[1]/toolbar[1]/button[0]', title: 'Save as' },
        { path: 'window[0]/button[0]', title: 'Save all' },
      ],
    });
    const found = async (criteria: Record<string, unknown>) => {
      const { elements } = await on.ok('find_element', { app: 'Editor', ...criteria });
      return Array.isArray(elements) ? elements.map(({ title }) => title) : undefined;
    };
    expect(await found({ role: 'toggle button', value: 'true' })).toEqual(['Bold']);
    expect(await found({ role: 'textbox', title: 'name', value: 'ADA' })).toEqual(['Name']);
    expect(await found({ role: 'button', value: 'Ada' })).toEqual([]);
    expect(await found({ title: 'Save', identifier: 'none' })).toEqual([]);
    expect(await found({ role: 'window' })).toEqual(['Document', 'Question', 'Notes']);
  });

  it('returns the same paths as get_ui_tree', async () => {
    const on = onDesktop();
    const text = await on.written('get_ui_tree', { app: 'Editor', depth: 9 });
    const { elements } = await on.ok('find_element', { app: 'Editor', max_results: 100 });
    expect(elements).toHaveLength(11);
    for (const { path } of Array.isArray(elements) ? elements : []) expect(text).toContain(`"${path}"`);
  });

  it('returns 20 by default and says that there are more', async () => {
    const many = editor(Array.from({ length: 30 }, (_, at) => button(`m-${at}`, `Item ${at}`)));
    const on = onDesktop(many);
    expect(await on.ok('find_element', { app: 'Editor', title: 'item' })).toMatchObject({
      count: 20,
      has_more_results: true,
      guidance: 'More elements match: add criteria, or raise max_results.',
    });
    for (const max_results of [30, 31])
      expect(await on.ok('find_element', { app: 'Editor', title: 'item', max_results })).toMatchObject({
        count: 30,
        has_more_results: false,
      });
  });

  it('returns an empty list, not an error', async () => {
    expect(await onDesktop().ok('find_element', { app: 'Editor', title: 'Zebra' })).toMatchObject({
      elements: [],
      count: 0,
      has_more_results: false,
      guidance: expect.stringContaining('get_ui_tree'),
    });
  });
});

describe('get_focused_element', () => {
  it('returns the element with its path, on the desktop or in one application', async () => {
    const on = onDesktop(editor(), TWIN_A);
    for (const input of [{}, { app: 'Editor' }, { app: 100 }])
      expect(await on.ok('get_focused_element', input)).toMatchObject({
        app: 'Editor',
        pid: 100,
        element: { path: 'window[1]/textbox[0]', title: 'Name', value: 'Ada', focused: true },
      });
  });

  it('says that nothing has the focus', async () => {
    expect(await onDesktop(TWIN_A).ok('get_focused_element', { app: 7 })).toEqual({
      app: 'Viewer',
      pid: 7,
      element: null,
      message: 'No element of this application has keyboard focus.',
    });
    expect(await onDesktop(app({ name: 'Tray' })).ok('get_focused_element', {})).toEqual({
      element: null,
      message: 'No element has keyboard focus.',
    });
  });
});

describe('list_windows', () => {
  it('lists windows that are not minimized, of one or all applications', async () => {
    const on = onDesktop(editor(), TWIN_A);
    const all = await on.ok('list_windows', {});
    expect(all).toMatchObject({
      count: 3,
      has_more_results: false,
      guidance: 'Minimized windows left out: 1; include_minimized lists them.',
    });
    expect(all['windows']).toContainEqual({
      path: 'window[1]',
      title: 'Document',
      app: 'Editor',
      pid: 100,
      position: { x: 0, y: 0 },
      size: { width: 800, height: 600 },
      minimized: false,
      frontmost: true,
    });
    const one = await on.ok('list_windows', { app: 'Editor', include_minimized: true });
    expect(one).toMatchObject({ count: 3 });
    expect(one['windows']).toContainEqual(expect.objectContaining({ title: 'Notes', minimized: true }));
    expect(await on.ok('list_windows', { app: 7 })).toMatchObject({ windows: [{ app: 'Viewer' }], count: 1 });
  });
});

describe('an application by name', () => {
  it('that is not running is an error that lists the running ones', async () => {
    for (const name of ['get_ui_tree', 'find_element', 'get_focused_element', 'list_windows'])
      expect(await onDesktop().failure(name, { app: 'Foo' })).toMatchObject({
        error_type: 'application_not_found',
        message: 'Application "Foo" is not running.',
        app: 'Foo',
        guidance: expect.stringContaining('"Editor" (process 100)'),
      });
    expect(await onDesktop().failure('list_windows', { app: 4711 })).toMatchObject({
      message: 'Application process 4711 is not running.',
      app: 4711,
    });
  });

  it('that two applications have is an error that lists both', async () => {
    const on = onDesktop(TWIN_A, TWIN_B);
    for (const name of ['get_ui_tree', 'find_element', 'get_focused_element', 'list_windows'])
      expect(await on.failure(name, { app: 'viewer' })).toMatchObject({
        error_type: 'ambiguous_application',
        message: 'More than one application matches "viewer": "Viewer" (process 7), "Viewer" (process 8).',
      });
    expect(await on.ok('get_ui_tree', { app: 8 })).toMatchObject({ pid: 8 });
  });

  it('prefers an exact match to names that only contain it', async () => {
    const on = onDesktop(TWIN_A, app({ id: 'pro', name: 'Viewer Pro', pid: 9 }));
    expect(await on.ok('get_ui_tree', { app: 'viewer' })).toMatchObject({ pid: 7 });
  });
});
