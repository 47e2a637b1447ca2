import { mentionParameter } from '../../../src/model/text/mention.ts';
import { describe, expect, it } from 'vitest';
import find from '../../../src/commands/observation/find.ts';
import focused from '../../../src/commands/observation/focused.ts';
import get from '../../../src/commands/observation/get.ts';
import is from '../../../src/commands/observation/is.ts';
import screenshot from '../../../src/commands/observation/screenshot.ts';
import snapshot from '../../../src/commands/observation/snapshot.ts';
import type { ElementInfo, FindResult, SnapshotResult } from '../../../src/engine/requests/reading.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { BUTTON, CHECKBOX, TREE, WINDOW } from '../samples.ts';
import { spelled, spelledFailure } from '../../spelled.ts';

const READ: SnapshotResult = {
  app: 'KCalc',
  window: WINDOW,
  refCount: 2,
  tree: TREE,
  complete: true,
  incompleteReasons: [],
  elided: 0,
  cursor: 'c1',
  nodeCount: 9,
  callCount: 3,
};

describe('snapshot', () => {
  it('passes its flags to the engine', async () => {
    const { ctx, calls } = fakeDesktop({ snapshot: async () => READ }, { form: 'outline' });
    const input = {
      root: '@e9',
      max_depth: 2,
      max_tokens: 500,
      compact: true,
      interactive_only: true,
      timeout_ms: 900,
    };
    await snapshot.run(ctx, snapshot.input.parse(input));
    expect(calls[0]?.request).toEqual({
      app: undefined,
      window: undefined,
      root: '@e9',
      maxDepth: 2,
      maxTokens: 500,
      isUsualSize: false,
      compact: true,
      interactiveOnly: true,
      includeBounds: false,
      includeActions: false,
      wholeTree: false,
      explain: false,
      mirrored: true,
      form: 'outline',
      printedForm: 'outline',
      after: undefined,
      frame: expect.any(Function),
      deadlineMs: 900,
      signal: ctx.signal,
    });
  });

  it.each([{ app: 'KCalc' }, { window: '@w1' }])(
    'refuses to ignore %j beside the element to start at',
    (scope) => {
      const { error } = snapshot.input.safeParse({ root: 'role:toolbar', ...scope });
      expect(error?.issues[0]).toMatchObject({
        path: ['root'],
        message: expect.stringContaining('app:KCalc >> role:toolbar'),
      });
    },
  );

  it('returns its output and renders the outline', async () => {
    const { ctx } = fakeDesktop({ snapshot: async () => READ });
    const output = await snapshot.run(ctx, snapshot.input.parse({}));
    expect(snapshot.output.parse(output)).toEqual(output);
    expect(output).toMatchObject({
      app: 'KCalc',
      window: { ref: '@w1' },
      ref_count: 2,
      complete: true,
      cursor: 'c1',
    });
    expect(snapshot.outline?.(output)).toBe(
      'window "Calculator"\n  textbox "Display" @e1 value="42" focused\n  button "7" @e2 [1,2 3x4]\ncursor c1',
    );
  });

  it('says why a snapshot is incomplete', async () => {
    const { ctx } = fakeDesktop({
      snapshot: async () => ({ ...READ, complete: false, incompleteReasons: ['out of time'] }),
    });
    const output = await snapshot.run(ctx, snapshot.input.parse({}));
    expect(output).toMatchObject({ complete: false, incomplete_reasons: ['out of time'] });
    expect(snapshot.outline?.(output)).toMatch(/\nincomplete: out of time\ncursor c1$/);
  });
});

describe('find', () => {
  const found: FindResult = {
    matches: [{ ...BUTTON, within: ['window "Calculator"', 'group "Keypad"'] }],
    matchedBy: 'contains',
    total: 3,
    nearMisses: [],
    complete: true,
    incompleteReasons: [],
    cursor: 'c2',
  };

  it('says what matched, where, and how many more there are', async () => {
    const { ctx, calls } = fakeDesktop({ find: async () => found });
    const output = await find.run(ctx, find.input.parse({ query: '7', limit: 1 }));
    expect(output).toMatchObject({ count: 1, total: 3, matched_by: 'contains' });
    expect(find.output.parse(output)).toEqual(output);
    expect(calls[0]?.request).toMatchObject({ query: '7', by: 'auto', limit: 1 });
    expect(spelled(find.outline?.(output))).toBe(
      'button "7" @e2 [1,2 3x4] in window "Calculator" > group "Keypad"\n2 more: raise --limit, or narrow with --role, --app or --window\ncursor c2',
    );
  });

  it('accepts --exact, and a role without a query', async () => {
    const { ctx, calls } = fakeDesktop({ find: async () => found });
    await find.run(ctx, find.input.parse({ query: 'Save', exact: true }));
    await find.run(ctx, find.input.parse({ role: 'push button' }));
    expect(calls.map(({ request }) => request)).toMatchObject([
      { by: 'exact' },
      { query: undefined, role: 'push button' },
    ]);
  });

  it('shows near misses when nothing matched', async () => {
    const none: FindResult = {
      ...found,
      matches: [],
      total: 0,
      matchedBy: undefined,
      nearMisses: found.matches,
    };
    const { ctx } = fakeDesktop({ find: async () => none });
    const output = await find.run(ctx, find.input.parse({ query: 'Sve' }));
    expect(find.outline?.(output)).toBe(
      `no match\nnot searched: closed menus, scrolled-out rows; ${mentionParameter('whole_tree')} searches them\nnear misses:\n  button "7" @e2 [1,2 3x4] in window "Calculator" > group "Keypad"\ncursor c2`,
    );
  });

  it('that searched the whole tree says nothing of what it did not search', async () => {
    const { ctx } = fakeDesktop({ find: async () => ({ ...found, matches: [], total: 0, nearMisses: [] }) });
    const output = await find.run(ctx, find.input.parse({ query: 'Sve', whole_tree: true }));
    expect(find.outline?.(output)).toBe('no match\ncursor c2');
  });

  it('says that what it lists is only similar', async () => {
    const matches = found.matches.map((match) => ({ ...match, score: 0.8 }));
    const similar: FindResult = { ...found, matches, total: 1, matchedBy: 'fuzzy' };
    const { ctx } = fakeDesktop({ find: async () => similar });
    const output = await find.run(ctx, find.input.parse({ query: 'Sve' }));
    expect(find.outline?.(output)).toMatch(/^only similar ones match:\nbutton "7" /);
  });

  it.each([
    [{}, 'query'],
    [{ query: 'a', by: 'contains', exact: true }, 'exact'],
    [{ query: '(', by: 'regex' }, 'query'],
  ])('refuses %j', (input, key) => {
    expect(find.input.safeParse(input).error?.issues[0]?.path).toEqual([key]);
  });
});

describe('get', () => {
  const field: ElementInfo = {
    ...CHECKBOX,
    node: {
      ref: '@e4',
      role: 'textbox',
      name: 'Name',
      value: 'Ada',
      bounds: { x: 1, y: 2, width: 3, height: 4 },
    },
    text: 'Ada Lovelace',
    allStates: ['editable'],
  };

  it.each([
    ['text', 'Ada Lovelace', 'Ada Lovelace'],
    ['value', 'Ada', 'Ada'],
    ['role', 'textbox', 'textbox'],
    ['states', ['editable'], 'editable'],
    ['bounds', { x: 1, y: 2, width: 3, height: 4 }, '{"x":1,"y":2,"width":3,"height":4}'],
    ['attributes', { toolkit: 'Qt' }, '{"toolkit":"Qt"}'],
  ] as const)('reads %s', async (property, value, text) => {
    const { ctx } = fakeDesktop({ describe: async () => field });
    const output = await get.run(ctx, get.input.parse({ property, ref: '@e4' }));
    expect(output).toEqual({ property, ref: '@e4', value });
    expect(get.output.parse(output)).toEqual(output);
    expect(get.text?.(output)).toBe(text);
  });

  it('returns null for missing values', async () => {
    const { ctx } = fakeDesktop({ describe: async () => CHECKBOX });
    expect((await get.run(ctx, get.input.parse({ property: 'value', ref: '@e5' }))).value).toBeNull();
    expect((await get.run(ctx, get.input.parse({ property: 'text', ref: '@e5' }))).value).toBe('Bold');
  });

  it('reads windows without a reference', async () => {
    const stats = {
      app: 'KCalc',
      window: 'Calculator',
      nodes: 9,
      interactive: 2,
      named: 3,
      max_depth: 4,
      by_role: { button: 2 },
      complete: true,
      calls: 3,
      duration_ms: 5,
    };
    const { ctx, calls } = fakeDesktop({ title: async () => 'Calculator', treeStats: async () => stats });
    expect(await get.run(ctx, get.input.parse({ property: 'title', app: 'KCalc' }))).toEqual({
      property: 'title',
      value: 'Calculator',
    });
    const output = await get.run(ctx, get.input.parse({ property: 'tree-stats', window: '@w1' }));
    expect(get.output.parse(output)).toEqual({ property: 'tree-stats', value: stats });
    expect(calls.map(({ request }) => request)).toMatchObject([{ app: 'KCalc' }, { window: '@w1' }]);
  });

  it.each([
    { property: 'value' },
    { property: 'title', ref: '@e1' },
    { property: 'role', ref: '@e1', app: 'KCalc' },
  ])('refuses %j', (input) => {
    expect(get.input.safeParse(input).success).toBe(false);
  });
});

describe('is', () => {
  it.each([
    ['checked', true],
    ['visible', true],
    ['enabled', true],
    ['focused', false],
    ['expanded', false],
  ] as const)('%s', async (state, answer) => {
    const { ctx } = fakeDesktop({ describe: async () => CHECKBOX });
    const output = await is.run(ctx, is.input.parse({ state, ref: '@e5' }));
    expect(output).toEqual({ ref: '@e5', state, answer, states: ['checked', 'focusable'] });
    expect(is.exitCode?.(output)).toBe(answer ? 0 : 1);
    expect(is.text?.(output)).toBe(String(answer));
    expect(is.outline?.(output)).toBe(`@e5 is ${answer ? '' : 'not '}${state} (checked, focusable)`);
  });

  it.each([
    ['checked', ['checked', 'indeterminate'], false],
    ['enabled', ['disabled'], false],
    ['visible', ['hidden'], false],
    ['visible', ['offscreen'], false],
  ] as const)('%s with %j', async (state, allStates, answer) => {
    const { ctx } = fakeDesktop({ describe: async () => ({ ...CHECKBOX, allStates }) });
    expect((await is.run(ctx, is.input.parse({ state, ref: '@e5' }))).answer).toBe(answer);
  });

  it('treats a pressed toggle button as checked', async () => {
    const toggle: ElementInfo = { ...CHECKBOX, node: { role: 'togglebutton' }, allStates: ['pressed'] };
    const { ctx } = fakeDesktop({ describe: async () => toggle });
    expect((await is.run(ctx, is.input.parse({ state: 'checked', ref: '@e5' }))).answer).toBe(true);
  });
});

describe('focused', () => {
  it('shows the element', async () => {
    const { ctx } = fakeDesktop({ focused: async () => ({ ...CHECKBOX, text: 'a\nb' }) });
    const output = await focused.run(ctx, focused.input.parse({ app: 'Kate' }));
    expect(focused.outline?.(output)).toBe('checkbox "Bold" @e5 checked focusable\n  text: "a\\nb"');
  });

  it('succeeds if nothing has focus', async () => {
    const { ctx } = fakeDesktop({ focused: async () => undefined });
    const output = await focused.run(ctx, focused.input.parse({}));
    expect(output).toEqual({ element: null });
    expect(focused.outline?.(output)).toBe('nothing has keyboard focus');
  });
});

describe('screenshot', () => {
  const image = {
    bytes: new Uint8Array([1, 2, 3]),
    width: 30,
    height: 40,
    origin: { x: 5, y: 6 },
    scale: 1,
    clipped: false,
    blanked: 0,
    unread: [],
    labels: [],
  };
  const label = { ref: '@e2', role: 'button', name: '7', bounds: { x: 1, y: 2, width: 3, height: 4 } };

  it('names the file by the time if no path is given', async () => {
    const { ctx, written } = fakeDesktop({ screenshot: async () => image });
    const output = await screenshot.run(ctx, screenshot.input.parse({}));
    expect(output).toMatchObject({
      path: '/home/someone/screenshot-20260131-235958-123.png',
      format: 'png',
      bytes: 3,
      width: 30,
      height: 40,
    });
    expect(output.labels).toBeUndefined();
    expect([...written.keys()]).toEqual([output.path]);
    expect(screenshot.text?.(output)).toBe(output.path);
  });

  it('asks through the portal if the settings of the user say so, whatever the call says', async () => {
    const { ctx, calls } = fakeDesktop({ screenshot: async () => image });
    const take = (given: Parameters<typeof screenshot.input.parse>[0], pictureConsent?: 'portal' | 'auto') =>
      screenshot.run({ ...ctx, pictureConsent }, screenshot.input.parse(given));
    await take({ path: 'a.png' });
    await take({ path: 'a.png', consent: 'direct' }, 'auto');
    await take({ path: 'a.png' }, 'portal');
    expect(calls.map(({ request }) => request)).toMatchObject([
      { consent: 'auto' },
      { consent: 'direct' },
      { consent: 'portal' },
    ]);
    await expect(take({ path: 'a.png', consent: 'direct' }, 'portal')).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    expect(calls).toHaveLength(3);
  });

  it('takes the format from the name, or from --format', async () => {
    const { ctx, calls } = fakeDesktop({ screenshot: async () => image });
    await screenshot.run(ctx, screenshot.input.parse({ path: 'a.JPEG' }));
    await screenshot.run(ctx, screenshot.input.parse({ path: 'a.png', format: 'jpg', quality: 5 }));
    await screenshot.run(ctx, screenshot.input.parse({ path: 'v1.2/a' }));
    const webp = await screenshot.run(
      ctx,
      screenshot.input.parse({ path: 'b.WebP', scale: 0.5, max_size: 900 }),
    );
    expect(webp.format).toBe('webp');
    expect(calls.map(({ request }) => request)).toMatchObject([
      { format: 'jpg', quality: 80 },
      { format: 'jpg', quality: 5 },
      { format: 'png' },
      { format: 'webp', scale: 0.5, maxSize: 900 },
    ]);
  });

  it('refuses an unknown file extension before capturing anything', async () => {
    const { ctx, calls } = fakeDesktop({ screenshot: async () => image });
    await expect(
      spelledFailure(screenshot.run(ctx, screenshot.input.parse({ path: 'a.gif' }))),
    ).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      suggestion: 'Use a file name that ends in .png, .jpg or .webp, or set --format.',
    });
    expect(calls).toEqual([]);
    await screenshot.run(ctx, screenshot.input.parse({ path: 'a.gif', format: 'png' }));
    expect(calls).toHaveLength(1);
  });

  it('captures a region and says if part of it was off screen', async () => {
    const { ctx, calls } = fakeDesktop({ screenshot: async () => ({ ...image, clipped: true }) });
    const output = await screenshot.run(ctx, screenshot.input.parse({ region: '-50,700,100,300' }));
    expect(calls[0]?.request).toMatchObject({ region: { x: -50, y: 700, width: 100, height: 300 } });
    expect(output.clipped).toBe(true);
    expect(screenshot.outline?.(output)).toMatch(/ 30x40 at 5,6 scale 1 \(the rest is not on the screen\)$/);
  });

  it.each(['', '1,2,3', '1,2,0,4', '1,2,3,-4', '1.5,2,3,4', '0,0,40000,1', '1,2,3,4,5', '0x1,2,3,4'])(
    'refuses the region %j',
    (region) => {
      expect(screenshot.input.safeParse({ region }).error?.issues[0]?.path).toEqual(['region']);
    },
  );

  it('lists labels when annotating', async () => {
    const { ctx } = fakeDesktop({ screenshot: async () => ({ ...image, labels: [label] }) });
    const output = await screenshot.run(ctx, screenshot.input.parse({ path: '/tmp/a.png', annotate: true }));
    expect(output.path).toBe('/tmp/a.png');
    expect(screenshot.output.parse(output).labels).toEqual([label]);
    expect(screenshot.outline?.(output)).toBe('/tmp/a.png 30x40 at 5,6 scale 1\n  @e2 button "7"');
  });

  it.each([
    [{ screen: true, app: 'KCalc' }, 'screen'],
    [{ element: '@e1', window: '@w1' }, 'element'],
    [{ region: '0,0,5,5', app: 'KCalc' }, 'region'],
    [{ region: '0,0,5,5', screen: true }, 'region'],
    [{ region: '0,0,5,5', monitor: 0 }, 'region'],
    [{ monitor: 0, window: '@w1' }, 'monitor'],
    [{ monitor: -1 }, 'monitor'],
    [{ scale: 0.05 }, 'scale'],
    [{ scale: 1.5 }, 'scale'],
    [{ max_size: 1 }, 'max_size'],
  ])('refuses %j', (input, key) => {
    expect(screenshot.input.safeParse(input).error?.issues[0]?.path).toEqual([key]);
  });
});

describe('a root', () => {
  it.each([{ app: 'kate' }, { window: 'Notes' }])(
    'already identifies an element, so that %j beside it is refused instead of ignored',
    (beside) => {
      const { error } = snapshot.input.safeParse({ root: '@e4', ...beside });
      expect(error?.issues).toMatchObject([
        { path: ['root'], message: expect.stringContaining('already identifies the element') },
      ]);
      expect(snapshot.input.safeParse({ root: '@e4' }).success).toBe(true);
    },
  );
});
