import { describe, expect, it } from 'vitest';
import { button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';

const BOUNDS = { x: 10, y: 50, width: 80, height: 30 };

function field(more: Partial<SimulatedNode> = {}): SimulatedNode {
  return { id: 'f', role: 'textbox', name: 'Name', value: 'Ada', accepts: 'text', bounds: BOUNDS, ...more };
}

/** Makes something happen right after subscribing and before the first look. */
function betweenListeningAndLooking(on: Stage, happen: () => void): void {
  const watch = on.desktop.watch.bind(on.desktop);
  on.desktop.watch = async (listener, options) => {
    const stop = await watch(listener, options);
    happen();
    return stop;
  };
}

describe('waiting for a value', () => {
  it('ends immediately if it is there', async () => {
    const on = await stage(oneWindow([field()]));
    const element = await refOf(on.engine, 'Name');
    const until = { value: 'Ada' };
    expect(await on.engine.waitForElement({ ...DEADLINE, element, until })).toMatchObject({ value: 'Ada' });
    expect(on.world.clock.now()).toBe(0);
  });

  it('ends when it appears, even between subscribing and reading', async () => {
    const on = await stage(oneWindow([field()]));
    const element = await refOf(on.engine, 'Name');
    on.world.clock.after(700, () => on.world.change('app', 'f', { value: 'Grace' }));
    await on.engine.waitForElement({ ...DEADLINE, element, until: { value: 'Grace' } });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(700);
    betweenListeningAndLooking(on, () => on.world.change('app', 'f', { value: '' }));
    const before = on.world.clock.now();
    await on.engine.waitForElement({ ...DEADLINE, element, until: { value: '' } });
    expect(on.world.clock.now()).toBe(before);
  });

  it('compares numbers as numbers, and texts by their characters', async () => {
    const slider = button('s', 'Volume', {
      role: 'slider',
      value: '42',
      range: { minimum: 0, maximum: 100, step: 1 },
    });
    const on = await stage(oneWindow([slider, field({ value: '007' })]));
    const [volume, name] = [await refOf(on.engine, 'Volume'), await refOf(on.engine, 'Name')];
    await on.engine.waitForElement({ ...DEADLINE, element: volume, until: { value: '42.0' } });
    const error = await failureOf(
      on.engine.waitForElement({ deadlineMs: 300, element: name, until: { value: '7' } }),
    );
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toContain('Last seen: textbox "007".');
  });

  it('fails immediately if the element disappears, however similar its successor', async () => {
    const on = await stage(oneWindow([field(), button('b', 'Other')]));
    const element = await refOf(on.engine, 'Name');
    on.world.clock.after(400, () => {
      on.world.insert('app', 'win-root', field({ id: 'f1', value: 'Grace' }));
      on.world.insert('app', 'win-root', field({ id: 'f2', value: 'Grace' }));
      on.world.remove('app', 'f');
    });
    const error = await failureOf(
      on.engine.waitForElement({ ...DEADLINE, element, until: { value: 'Grace' } }),
    );
    expect(['STALE_REF', 'AMBIGUOUS_TARGET']).toContain(error.code);
    expect(error.candidates.map(({ name }) => name)).toEqual(['Name', 'Name']);
    expect(on.world.clock.now()).toBeLessThan(1000);
  });

  it('is refused if the value is secret', async () => {
    const secret = field({ id: 'p', name: 'Password', states: ['protected'], value: 'horse' });
    const on = await stage(oneWindow([secret, field()]));
    const refs = [await refOf(on.engine, 'Password'), await refOf(on.engine, 'Name')];
    await on.engine.setValue({ ...DEADLINE, ref: refs[1] ?? '', value: 'battery', withheld: true });
    for (const [index, value] of ['horse', 'battery'].entries()) {
      const element = refs[index] ?? '';
      const error = await failureOf(on.engine.waitForElement({ ...DEADLINE, element, until: { value } }));
      expect(error).toMatchObject({ code: 'ACTION_NOT_SUPPORTED' });
      expect(error.message).not.toContain(value);
      const shown = await on.engine.waitForElement({ ...DEADLINE, element });
      expect(JSON.stringify(shown)).not.toContain(value);
    }
  });
});

describe('waiting for the focus', () => {
  it('ends when the element has it', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const element = await refOf(on.engine, 'B');
    on.world.clock.after(300, () => on.world.change('app', 'b', { states: ['focused'] }));
    await on.engine.waitForElement({ ...DEADLINE, element, until: 'focused' });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(300);
    on.world.remove('app', 'b');
    const error = await failureOf(on.engine.waitForElement({ ...DEADLINE, element, until: 'focused' }));
    expect(error.code).toBe('STALE_REF');
  });
});

describe('waiting until something disappears', () => {
  it('ends when the element is destroyed, and immediately if it already was', async () => {
    const on = await stage(oneWindow([button('b', 'B'), button('c', 'C')]));
    const ref = await refOf(on.engine, 'B');
    on.world.clock.after(600, () => on.world.remove('app', 'b'));
    await on.engine.waitUntilGone({ ...DEADLINE, ref });
    const at = on.world.clock.now();
    expect(at).toBeGreaterThanOrEqual(600);
    await on.engine.waitUntilGone({ ...DEADLINE, ref });
    expect(on.world.clock.now()).toBe(at);
  });

  it('ends when its window closes or its application ends', async () => {
    for (const close of ['window', 'application']) {
      const on = await stage(oneWindow([button('b', 'B')]));
      const ref = await refOf(on.engine, 'B');
      on.world.clock.after(300, () => {
        if (close === 'window') on.world.apps[0]?.windows.splice(0);
        else on.world.apps.splice(0);
        on.world.emit('app', '', 'window-closed', '');
      });
      await on.engine.waitUntilGone({ ...DEADLINE, ref });
      expect(on.world.clock.now()).toBeGreaterThanOrEqual(300);
    }
  });

  it('does not treat a recreated element as disappeared', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const ref = await refOf(on.engine, 'B');
    on.world.remove('app', 'b');
    on.world.insert('app', 'win-root', button('b2', 'B'));
    const error = await failureOf(on.engine.waitUntilGone({ deadlineMs: 500, ref }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toContain('Last seen: button "B".');
  });

  it('does not guess among twins', async () => {
    const on = await stage(oneWindow([button('b', 'B'), button('c', 'B')]));
    const ref = await refOf(on.engine, 'B');
    on.world.remove('app', 'c');
    expect(await failureOf(on.engine.waitUntilGone({ ...DEADLINE, ref }))).toMatchObject({
      code: 'AMBIGUOUS_TARGET',
    });
    expect(await failureOf(on.engine.waitUntilGone({ ...DEADLINE, ref: '@e99' }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
  });

  it('does not treat an unresponsive application as closed', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const ref = await refOf(on.engine, 'B');
    on.world.freeze('app', 60_000);
    const error = await failureOf(on.engine.waitUntilGone({ deadlineMs: 800, ref }));
    expect(error.code).toBe('TIMEOUT');
    expect(on.world.clock.now()).toBe(800);
    // Its objects no longer exist, and whether they are elsewhere cannot be queried.
    const list = on.desktop.listWindows.bind(on.desktop);
    on.desktop.listWindows = async (options) =>
      (await list(options)).map((window) => ({ ...window, root: undefined, responsive: false }));
    const describeNode = on.desktop.describe.bind(on.desktop);
    on.desktop.describe = (_node, options) => describeNode({ app: 'app', path: 'nowhere' }, options);
    on.world.freeze('app', 0);
    const again = await failureOf(on.engine.waitUntilGone({ deadlineMs: 500, ref }));
    expect(again.code).toBe('TIMEOUT');
    expect(again.message).toContain('does not answer');
  });

  it('does not treat an unreadable element as disappeared', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const ref = await refOf(on.engine, 'B');
    on.world.remove('app', 'b');
    const read = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = async (request) => ({
      ...(await read(request)),
      complete: false,
      incompleteReasons: ['it was too large'],
    });
    const error = await failureOf(on.engine.waitUntilGone({ deadlineMs: 500, ref }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toContain('only part of its window');
    // Everything on screen was read without finding it, however much there is elsewhere.
    on.desktop.readTree = async (request) => ({ ...(await read(request)), complete: !request.wholeTree });
    await on.engine.waitUntilGone({ deadlineMs: 500, ref });
  });

  it('accepts refs of windows', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    on.world.apps[0]?.windows.push(windowWith([], { id: 'dialog', title: 'Save' }));
    const windows = await on.engine.listWindows({ ...DEADLINE, focusedOnly: false, includeMinimized: true });
    const ref = windows.find(({ title }) => title === 'Save')?.ref ?? '';
    const error = await failureOf(on.engine.waitUntilGone({ deadlineMs: 300, ref }));
    expect(error.message).toContain('Last seen: window "Save".');
    on.world.clock.after(300, () => {
      on.world.apps[0]?.windows.pop();
      on.world.emit('app', 'dialog-root', 'window-closed', '');
    });
    expect(await on.engine.waitUntilGone({ ...DEADLINE, ref })).toEqual({});
    expect(await on.engine.waitUntilGone({ ...DEADLINE, ref: 'app:Nobody >> role:button' })).toEqual({
      because: expect.stringContaining('Nobody'),
    });
    expect(await failureOf(on.engine.waitUntilGone({ ...DEADLINE, ref: '@w77' }))).toMatchObject({
      code: 'WINDOW_NOT_FOUND',
    });
  });

  it('is cancelled with CANCELLED', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const ref = await refOf(on.engine, 'B');
    const abort = new AbortController();
    on.world.clock.after(300, () => abort.abort());
    const waiting = on.engine.waitUntilGone({ ...DEADLINE, ref, signal: abort.signal });
    expect(await failureOf(waiting)).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('waiting for a text', () => {
  it('finds it in any window of the application, and gives the innermost element a ref', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    on.world.clock.after(400, () => {
      const label: SimulatedNode = { id: 'l', role: 'text', name: 'All SAVED now', bounds: BOUNDS };
      const group: SimulatedNode = {
        id: 'g',
        role: 'group',
        name: 'saved things',
        bounds: BOUNDS,
        children: [label],
      };
      on.world.apps[0]?.windows.unshift(windowWith([group], { id: 'd', title: 'Saved?' }));
      on.world.emit('app', 'd-root', 'window-opened', '');
    });
    const found = await on.engine.waitForText({ ...DEADLINE, text: 'saved', app: 'editor' });
    expect(found).toMatchObject({ window: { title: 'Saved?' }, element: { name: 'All SAVED now' } });
    expect(await refOf(on.engine, 'B')).not.toBe(found.element.ref);
    const named = on.engine.waitForText({ deadlineMs: 300, text: 'saved', window: 'Document' });
    expect((await failureOf(named)).message).toContain('Last seen: not in "Document".');
  });

  it('waits for an application that is not running yet', async () => {
    const on = await stage([]);
    on.world.clock.after(400, () => {
      on.world.apps.push(...oneWindow([button('b', 'Ready')]));
      on.world.emit('app', 'win-root', 'window-opened', '');
    });
    const found = await on.engine.waitForText({ ...DEADLINE, text: 'ready', app: 'Editor' });
    expect(found.element.name).toBe('Ready');
  });

  it('finds no secrets', async () => {
    const secret = field({ id: 'p', name: 'Password', states: ['protected'], value: 'horse' });
    const inner: SimulatedNode = { id: 'i', role: 'text', name: 'horse', bounds: BOUNDS };
    const on = await stage(oneWindow([{ ...secret, children: [inner] }, field()]));
    const ref = await refOf(on.engine, 'Name');
    await on.engine.setValue({ ...DEADLINE, ref, value: 'battery', withheld: true });
    for (const text of ['horse', 'battery'])
      expect(await failureOf(on.engine.waitForText({ deadlineMs: 300, text }))).toMatchObject({
        code: 'TIMEOUT',
      });
  });
});
