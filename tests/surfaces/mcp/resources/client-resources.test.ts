import { describe, expect, it, vi } from 'vitest';
import { clientResources } from '../../../../src/surfaces/mcp/resources/client-resources.ts';
import type { SimulatedApp } from '../../../simulated/simulated-world.ts';
import { clip } from '../../../../src/model/text/untrusted-text.ts';
import { app, button, windowWith } from '../../../engine/support/stage.ts';
import { factsOf, FakeTerminals } from '../../../terminal/support/fake-terminals.ts';
import { deskWorld, VOICE } from './desk-world.ts';

const FACTS = { version: '1.2.3' };

function editor(changes: Partial<SimulatedApp> = {}): SimulatedApp {
  const menus = {
    id: 'menus',
    role: 'menubar' as const,
    children: ['File', 'Edit'].map((name) => ({ id: name, role: 'menuitem' as const, name })),
  };
  const field = { id: 'field', role: 'textbox' as const, name: 'Text', states: ['focused' as const] };
  return app({
    windows: [windowWith([menus, field, button('go', 'Go')], { focused: true })],
    ...changes,
  });
}

function scene(apps: SimulatedApp[]) {
  const on = deskWorld(apps);
  const resources = clientResources(on.calls, FACTS);
  const read = (uri: string) => resources.read(uri, VOICE);
  const data = async (uri: string): Promise<Record<string, unknown>> => {
    const result = await read(uri);
    const [content] = result.contents;
    if (content === undefined || !('text' in content)) throw new Error('no text');
    return JSON.parse(content.text);
  };
  return { ...on, resources, read, data };
}

/** Lets promises that are ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('the list', () => {
  it('has the fixed resources and parts of each application', async () => {
    const { resources, calls } = scene([editor(), app({ id: 'b', name: 'a/b 100%', pid: 7 })]);
    const uris = (await resources.list(VOICE)).map(({ uri }) => uri);
    expect(uris).toEqual([
      'deskterity://system/status',
      'deskterity://apps',
      'deskterity://clipboard',
      `deskterity://session/${calls.session}/journal`,
      'deskterity://app/Editor/tree',
      'deskterity://app/Editor/state',
      'deskterity://app/Editor/screenshot',
      'deskterity://app/Editor/events',
      'deskterity://app/a%2Fb%20100%25/tree',
      'deskterity://app/a%2Fb%20100%25/state',
      'deskterity://app/a%2Fb%20100%25/screenshot',
      'deskterity://app/a%2Fb%20100%25/events',
    ]);
    for (const uri of uris.slice(0, 8)) await resources.read(uri, VOICE);
  });

  it('names applications by process id if the name is unsuitable', async () => {
    const names = ['Twin', 'twin', '', '..', '42', 'x\0'];
    const { resources } = scene(names.map((name, index) => app({ id: `a${index}`, name, pid: 100 + index })));
    const uris = (await resources.list(VOICE)).map(({ uri }) => uri).filter((uri) => uri.endsWith('/tree'));
    expect(uris).toEqual(names.map((_, index) => `deskterity://app/${100 + index}/tree`));
  });
});

describe('reading', () => {
  it('a tree returns references of the client’s session', async () => {
    const { data, calls } = scene([editor()]);
    const { tree, app: name } = await data('deskterity://app/editor/tree');
    expect(name).toBe('Editor');
    const [go = ''] = /{[^{}]*"name":"Go"[^{}]*/.exec(JSON.stringify(tree)) ?? [];
    const ref = /@e\d+/.exec(go)?.[0];
    const { output } = await calls.answer('get', { property: 'role', ref });
    expect(output).toMatchObject({ value: 'button' });
  });

  it('the state names windows, the focused element and the menus', async () => {
    const { data } = scene([editor()]);
    expect(await data('deskterity://app/100/state')).toEqual({
      app: 'Editor',
      pid: 100,
      windows: [{ title: 'Document', focused: true, position: [0, 0], size: [800, 600], ref: '@w1' }],
      focused_element: { role: 'textbox', name: 'Text', ref: expect.stringMatching(/^@e/) },
      menu_bar: ['File', 'Edit'],
      detected_state: 'idle',
      patterns: [],
      suggestions: [],
    });
  });

  it('the list of applications says which of them are busy', async () => {
    const { data, world } = scene([editor(), app({ id: 'b', name: 'Other', pid: 7 })]);
    world.freeze('b', 600_000);
    const { apps } = await data('deskterity://apps');
    expect(apps).toMatchObject([{ name: 'Editor' }, { name: 'Other', state: 'busy' }]);
    expect(JSON.stringify(apps)).not.toMatch(/Editor[^}]*busy/);
  });

  it('the state names the pattern of the front window, and next steps with references that work', async () => {
    const message = { id: 'm', role: 'text' as const, name: 'Discard the draft?' };
    const dialog = {
      id: 'dialog',
      role: 'dialog' as const,
      name: 'Question',
      states: ['modal' as const],
      children: [message, button('yes', 'Discard'), button('no', 'Cancel')],
    };
    const { data, calls } = scene([
      app({ name: 'Editor', windows: [windowWith([dialog], { focused: true })] }),
    ]);
    const state = await data('deskterity://app/Editor/state');
    expect(state).toMatchObject({ detected_state: 'modal_dialog', detected_pattern: 'confirmation_dialog' });
    const [ref = ''] = /@e\d+/.exec(JSON.stringify(state['suggestions'])) ?? [];
    expect((await calls.answer('get', { property: 'role', ref })).output).toMatchObject({ value: 'button' });
  });

  it('one window of several', async () => {
    const windows = ['x11:0x20', 'x11:0x3', 'x11:0x100'].map((id) =>
      windowWith([button(`b${id}`, `in ${id}`)], { id, title: id }),
    );
    const { read } = scene([editor({ windows })]);
    const texts = await Promise.all(
      [0, 1, 2].map(async (index) =>
        JSON.stringify(await read(`deskterity://app/Editor/window/${index}/tree`)),
      ),
    );
    expect(texts.map((text) => /in (x11:0x\w+)/.exec(text)?.[1])).toEqual([
      'x11:0x3',
      'x11:0x20',
      'x11:0x100',
    ]);
    await expect(read('deskterity://app/Editor/window/3/tree')).rejects.toMatchObject({
      code: -32602,
      data: { uri: 'deskterity://app/Editor/window/3/tree' },
    });
  });

  it('a picture is a PNG', async () => {
    const { read } = scene([editor()]);
    const result = await read('deskterity://app/Editor/screenshot');
    expect(result).toMatchObject({ contents: [{ mimeType: 'image/png' }] });
    const [content] = result.contents;
    const blob = content !== undefined && 'blob' in content ? content.blob : '';
    expect(Buffer.from(blob, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  it('the status and the applications', async () => {
    const { data } = scene([editor()]);
    expect(await data('deskterity://system/status')).toMatchObject({
      server_version: '1.2.3',
      accessibility_enabled: true,
      desktop: { id: 'simulated' },
    });
    expect(await data('deskterity://apps')).toMatchObject({ apps: [{ name: 'Editor', pid: 100 }] });
  });

  it('makes invisible characters visible', async () => {
    const { read } = scene([editor({ windows: [windowWith([button('go', 'a\u202Eb')])] })]);
    expect(JSON.stringify(await read('deskterity://app/Editor/tree'))).toContain(String.raw`a\\u202eb`);
  });

  it.each([
    ['deskterity://app/Editer/tree', /called "Editer"\. Similar: "Editor"/],
    ['deskterity://app/Edit/tree', /Similar: "Editor"/],
    ['deskterity://app/zzzzzz/tree', /deskterity:\/\/apps/],
    [
      'deskterity://nothing',
      /Unknown resource "deskterity:\/\/nothing"\. Available: deskterity:\/\/system\/status/,
    ],
    [`deskterity://${'x'.repeat(100_000)}`, /Unknown resource "deskterity:\/\/x{1,120}"/],
  ])('%s is not found', async (uri, message) => {
    const { read, resources } = scene([editor()]);
    const expected = { code: -32602, data: { uri: clip(uri, 200) }, message: expect.stringMatching(message) };
    await expect(read(uri)).rejects.toMatchObject(expected);
    await expect(resources.watch(uri, () => undefined)).rejects.toMatchObject(expected);
  });

  it('an ambiguous name is an error that says what to do', async () => {
    const { read } = scene([editor(), editor({ id: 'b', pid: 101 })]);
    await expect(read('deskterity://app/Editor/tree')).rejects.toMatchObject({
      code: -32602,
      data: { code: 'AMBIGUOUS_APP', suggestion: expect.stringContaining('100, 101') },
    });
  });

  it('of a window without a tree says why', async () => {
    const bare = windowWith([], { reason: 'It has none.' });
    delete bare.root;
    const { read, data } = scene([editor({ windows: [bare] })]);
    await expect(read('deskterity://app/Editor/tree')).rejects.toMatchObject({
      code: -32603,
      data: { code: 'ACTION_NOT_SUPPORTED' },
    });
    expect(await data('deskterity://app/Editor/state')).toMatchObject({ windows: [{ title: 'Document' }] });
  });
});

describe('the journal', () => {
  it('has the events of an application in the words of event streams, and ends are read as long as they are known', async () => {
    const { data, world, calls } = scene([editor()]);
    await calls.answer('snapshot', {});
    await settle();
    world.apps.push(
      app({ id: 'other', name: 'Other', pid: 7, windows: [windowWith([], { id: 'w7', title: 'Seven' })] }),
    );
    world.emit('other', 'w7-root', 'window-opened', '');
    await settle();
    const { events } = await data('deskterity://app/Other/events');
    expect(events).toMatchObject([
      { type: 'app_started', timestamp: expect.any(String) },
      { type: 'window_opened', title: 'Seven', ref: expect.stringMatching(/^@w/) },
    ]);
    world.apps.pop();
    world.emit('other', 'w7-root', 'window-closed', '');
    await settle();
    expect(JSON.stringify(await data('deskterity://app/Other/events'))).toContain('app_exited');
  });

  it('tells subscribers once of what is noted, and nothing of what is only read', async () => {
    const { resources, world, calls } = scene([editor()]);
    await calls.answer('snapshot', {});
    await settle();
    let told = 0;
    const end = await resources.watch(`deskterity://session/${calls.session}/journal`, () => (told += 1));
    await calls.answer('snapshot', {});
    await settle();
    expect(told).toBe(0);
    world.apps[0]?.windows.push(windowWith([], { id: 'w2', title: 'Save', transientFor: 'win' }));
    world.emit('app', 'w2-root', 'window-opened', '');
    await vi.waitFor(() => expect(told).toBe(1), 2000);
    end();
  });

  it('of another session is not this client’s to read', async () => {
    const { read, calls } = scene([editor()]);
    await expect(read('deskterity://session/other/journal')).rejects.toMatchObject({
      message: expect.stringContaining(calls.session),
    });
  });
});

describe('watching', () => {
  it('reports each change once, and nothing without a change', async () => {
    const { resources, world } = scene([editor()]);
    let told = 0;
    const end = await resources.watch('deskterity://app/Editor/tree', () => (told += 1));
    world.emit('app', 'go', 'state-changed', 'showing=1');
    world.change('app', 'go', { name: 'Went' });
    await expect.poll(() => told, { timeout: 3000 }).toBe(1);
    world.emit('app', 'go', 'state-changed', 'showing=1');
    // Longer than a change takes to be told.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(told).toBe(1);
    end();
    world.change('app', 'go', { name: 'Gone' });
    // Longer than a change takes to be told.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(told).toBe(1);
  });

  it('reports once that an application quits, and once that it returns', async () => {
    const { resources, world, desktop, app } = scene([editor()]);
    let told = 0;
    const end = await resources.watch('deskterity://app/Editor/state', () => (told += 1));
    expect(app.keptBy()).toEqual(['1 watch']);
    await desktop.closeApp(100);
    await expect.poll(() => told, { timeout: 3000 }).toBe(1);
    world.apps.push(
      editor({ pid: 200, id: 'again', windows: [windowWith([button('x', 'X')], { id: 'w9' })] }),
    );
    world.emit('again', '', 'window-opened', '');
    await expect.poll(() => told, { timeout: 3000 }).toBe(2);
    world.change('again', 'x', { states: ['focused'] });
    await expect.poll(() => told, { timeout: 3000 }).toBe(3);
    end();
    expect(app.keptBy()).toEqual([]);
  });

  it('reports a changed list when an application starts or quits, not when one is busy', async () => {
    const { resources, world, desktop } = scene([editor()]);
    let told = 0;
    const end = await resources.watchList(() => (told += 1));
    world.freeze('app', 60_000);
    world.emit('app', '', 'window-changed', '');
    world.apps.push(app({ id: 'n', name: 'New', pid: 9 }));
    world.emit('n', '', 'window-opened', '');
    await expect.poll(() => told, { timeout: 3000 }).toBe(1);
    await desktop.closeApp(9);
    await expect.poll(() => told, { timeout: 3000 }).toBe(2);
    end();
  });

  it('reports a second application of the same name and its end', async () => {
    const { resources, world, desktop } = scene([editor()]);
    const uri = 'deskterity://app/Editor/tree';
    let told = 0;
    const end = await resources.watch(uri, () => (told += 1));
    world.apps.push(editor({ pid: 101, id: 'b', windows: [windowWith([button('y', 'Y')], { id: 'w9' })] }));
    world.emit('app', 'go', 'state-changed', 'showing=1');
    await expect.poll(() => told, { timeout: 3000 }).toBe(1);
    await expect(resources.watch(uri, () => undefined)).rejects.toMatchObject({
      data: { code: 'AMBIGUOUS_APP' },
    });
    await desktop.closeApp(101);
    world.emit('app', 'go', 'state-changed', 'showing=1');
    await expect.poll(() => told, { timeout: 3000 }).toBe(2);
    end();
  });

  it('has a limit per client, which ended watches do not count towards', async () => {
    const { resources, app } = scene([editor()]);
    const ends = await Promise.all(
      Array.from({ length: 64 }, () => resources.watch('deskterity://apps', () => undefined)),
    );
    const another = () => resources.watch('deskterity://apps', () => undefined);
    await expect(another()).rejects.toMatchObject({ code: -32602, data: { code: 'RATE_LIMITED' } });
    (await resources.watchList(() => undefined))();
    ends[0]?.();
    ends[0]?.();
    ends.push(await another());
    await expect(another()).rejects.toMatchObject({ code: -32602 });
    for (const end of ends) end();
    expect(app.keptBy()).toEqual([]);
  });

  it('has a higher limit if many clients share it', async () => {
    const { calls } = scene([editor()]);
    const resources = clientResources(calls, { ...FACTS, mostWatches: 65 });
    const watch = () => resources.watch('deskterity://apps', () => undefined);
    const ends = await Promise.all(Array.from({ length: 65 }, watch));
    await expect(watch()).rejects.toMatchObject({ code: -32602, data: { code: 'RATE_LIMITED' } });
    for (const end of ends) end();
  });

  it('holds nothing if it fails', async () => {
    const { resources, app } = scene([editor()]);
    for (const uri of ['deskterity://app/None/tree', 'deskterity://app/Editor/window/5/tree'])
      await expect(resources.watch(uri, () => undefined)).rejects.toMatchObject({ code: -32602 });
    expect(app.keptBy()).toEqual([]);
  });
});

describe('terminals', () => {
  const place = { projectPath: '/project', tag: 'build' };

  function withTerminals() {
    const port = new FakeTerminals();
    const on = deskWorld([editor()], { openTerminals: async () => port });
    const resources = clientResources(on.calls, { ...FACTS, hasTerminals: () => true });
    return { port, resources };
  }

  it('are a resource for clients that have the tool', async () => {
    const { port, resources } = withTerminals();
    port.terminals = [factsOf(place, { state: 'running', running: 'make' })];
    expect((await resources.list(VOICE)).map(({ uri }) => uri)).toContain('deskterity://terminals');
    const [content] = (await resources.read('deskterity://terminals', VOICE)).contents;
    expect(JSON.stringify(content)).toContain('build');
    const without = clientResources(deskWorld([editor()]).calls, FACTS);
    expect((await without.list(VOICE)).map(({ uri }) => uri)).not.toContain('deskterity://terminals');
  });

  it('report to subscribers that a command has ended', async () => {
    const { port, resources } = withTerminals();
    port.terminals = [factsOf(place, { state: 'running', running: 'make' })];
    let changes = 0;
    const end = await resources.watch('deskterity://terminals', () => (changes += 1));
    expect(changes).toBe(0);
    port.terminals = [factsOf(place, { state: 'idle', running: undefined, exitCode: 0 })];
    await expect.poll(() => changes, { timeout: 15_000 }).toBe(1);
    end();
  });
});
