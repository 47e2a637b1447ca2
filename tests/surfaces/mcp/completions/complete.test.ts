import { describe, expect, it } from 'vitest';
import { completeFor, matching } from '../../../../src/surfaces/mcp/completions/complete.ts';
import type { ClientCalls } from '../../../../src/surfaces/mcp/tools/client-calls.ts';
import type { SimulatedApp, SimulatedNode } from '../../../simulated/simulated-world.ts';
import { app, button, windowWith } from '../../../engine/support/stage.ts';
import { deskWorld } from '../resources/desk-world.ts';

const PROMPTS = [
  'app_name',
  'source_app',
  'source_element',
  'target_app',
  'apps',
  'focus_area',
  'destination',
  'element_description',
  'output_format',
  'data_description',
].map((name) => ({ name }));

const TREE: SimulatedNode[] = [
  { id: 'menus', role: 'menubar', children: [{ id: 'file', role: 'menuitem', name: 'File' }] },
  {
    id: 'bar',
    role: 'toolbar',
    name: 'Main',
    children: [button('save', 'Save'), button('saveas', 'Save as')],
  },
  { id: 'tabs', role: 'tablist', children: [{ id: 'tab', role: 'tab', name: 'Profile' }] },
];

function scene(
  apps: SimulatedApp[] = [
    app({ name: 'Editor', windows: [windowWith(TREE), windowWith([], { id: 'win2', title: 'Two' })] }),
    app({ id: 'b', name: 'Credits', pid: 7, windows: [] }),
  ],
) {
  const on = deskWorld(apps);
  const complete = completeFor(on.calls, () => [{ name: 'guide', arguments: PROMPTS }]);
  const ask = (
    name: string,
    value: string,
    known: Record<string, string> = {},
    signal = new AbortController().signal,
  ) => complete({ of: { kind: 'prompt', name: 'guide' }, argument: { name, value }, known, signal });
  const askTemplate = (
    uriTemplate: string,
    name: string,
    value: string,
    known: Record<string, string> = {},
  ) =>
    complete({
      of: { kind: 'resource', uriTemplate },
      argument: { name, value },
      known,
      signal: new AbortController().signal,
    });
  return { ...on, complete, ask, askTemplate };
}

const IN_EDITOR = { app_name: 'Editor' };

describe('completing', () => {
  it('offers the client’s own session, and applications for their events', async () => {
    const { askTemplate, calls } = scene();
    expect(await askTemplate('deskterity://session/{id}/journal', 'id', '')).toEqual([calls.session]);
    expect(await askTemplate('deskterity://app/{name}/events', 'name', 'Editor')).toEqual(['Editor']);
  });

  it('applications, those that start with the text first', async () => {
    const { ask, askTemplate } = scene();
    expect(await ask('app_name', 'ed')).toEqual(['Editor', 'Credits']);
    expect(await ask('source_app', '')).toEqual(['Editor', 'Credits']);
    expect(await ask('target_app', 'x')).toEqual([]);
    expect(await askTemplate('deskterity://app/{name}/state', 'name', 'CRED')).toEqual(['Credits']);
  });

  it('the last of several applications', async () => {
    const { ask } = scene();
    expect(await ask('apps', 'cr')).toEqual(['Credits']);
    expect(await ask('apps', 'Credits,ed')).toEqual(['Credits, Editor']);
    expect(await ask('apps', 'credits, ')).toEqual(['credits, Editor']);
  });

  it('windows of the given application', async () => {
    const { askTemplate } = scene();
    const template = 'deskterity://app/{name}/window/{index}/tree';
    expect(await askTemplate(template, 'index', '', { name: 'editor' })).toEqual(['0', '1']);
    expect(await askTemplate(template, 'index', '1', { name: 'Editor' })).toEqual(['1']);
    expect(await askTemplate(template, 'index', '', { name: 'nobody' })).toEqual([]);
    expect(await askTemplate(template, 'index', '')).toEqual([]);
  });

  it('regions, destinations and elements of the given application', async () => {
    const { ask } = scene([app({ windows: [windowWith(TREE)] })]);
    expect(await ask('focus_area', '', IN_EDITOR)).toEqual(['menubar', 'Main toolbar', 'tablist', 'Profile']);
    expect(await ask('focus_area', 'tool', IN_EDITOR)).toEqual(['Main toolbar']);
    expect(await ask('destination', 'fil', IN_EDITOR)).toEqual(['File', 'Profile']);
    expect(await ask('element_description', 'as', IN_EDITOR)).toEqual(['Save as']);
    expect(await ask('source_element', 'SAVE', { source_app: 'Editor' })).toEqual(['Save', 'Save as']);
    expect(await ask('source_element', '')).toEqual([]);
  });

  it('references that work in the client’s session', async () => {
    const { ask, calls } = scene([app({ windows: [windowWith(TREE)] })]);
    const refs = await ask('element_description', '@', IN_EDITOR);
    expect(refs.length).toBeGreaterThanOrEqual(4);
    const roles = await Promise.all(
      refs.map(async (ref) => (await calls.answer('get', { property: 'role', ref })).output['value']),
    );
    expect(roles).toEqual(['menuitem', 'button', 'button', 'tab']);
  });

  it('formats, and nothing for free text', async () => {
    const { ask } = scene();
    expect(await ask('output_format', 'm')).toEqual(['markdown']);
    expect(await ask('data_description', 'x')).toEqual([]);
  });

  it('considers at most a thousand values', () => {
    const values = Array.from({ length: 5000 }, (_, index) => `name ${index}`);
    expect(matching(values, '')).toHaveLength(1000);
    expect(matching(values, 'NAME 1234')).toEqual([]);
  });
});

describe('an unknown name', () => {
  it.each([
    ['prompt', 'guidee', 'app_name', /Unknown prompt: "guidee"\. Did you mean "guide"\?/],
    [
      'prompt',
      'guide',
      'app_nme',
      /Unknown argument of the prompt "guide": "app_nme"\. Did you mean "app_name"\?/,
    ],
    ['prompt', 'guide', '__proto__', /Unknown argument/],
    ['resource', 'deskterity://app/{name}/tre', 'name', /Did you mean "deskterity:\/\/app\/\{name\}\/tree"/],
    ['resource', 'deskterity://app/{name}/tree', 'index', /Unknown variable/],
  ])('%s %s %s', async (kind, of, name, message) => {
    const { complete } = scene();
    const asked = complete({
      of: kind === 'prompt' ? { kind, name: of } : { kind: 'resource', uriTemplate: of },
      argument: { name, value: '' },
      known: {},
      signal: new AbortController().signal,
    });
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  });
});

describe('a desktop that does not respond', () => {
  const never: Pick<ClientCalls, 'answer' | 'look' | 'session'> = {
    session: 'mine',
    answer: () => new Promise(() => undefined),
    look: () => new Promise(() => undefined),
  };
  const request = {
    of: { kind: 'prompt', name: 'guide' },
    argument: { name: 'app_name', value: '' },
    known: {},
  } as const;

  it('yields nothing after a second and a half', async () => {
    const complete = completeFor(never, () => [{ name: 'guide', arguments: PROMPTS }]);
    const started = performance.now();
    expect(await complete({ ...request, signal: new AbortController().signal })).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(1400);
  });

  it('yields nothing at once after a cancellation', async () => {
    const complete = completeFor(never, () => [{ name: 'guide', arguments: PROMPTS }]);
    expect(await complete({ ...request, signal: AbortSignal.abort() })).toEqual([]);
  });
});
