import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import { outlineChanges } from '../../src/model/tree/outline.ts';
import { askChanges, changesSince, form, linesSince } from './support/changes.ts';
import { MemoryStore } from './support/memory-store.ts';
import { app, button, DEADLINE, failureOf, oneWindow, snapshot, stage, windowWith } from './support/stage.ts';

describe('a cursor', () => {
  it.each(['c2', 'c999999999999999', 'c0', '17', 'c1x', '', 'c-1', '@e1'])(
    '%j was never issued',
    async (since) => {
      const on = await form();
      await snapshot(on.engine);
      const error = await failureOf(askChanges(on.engine, since));
      expect(error.code).toBe('INVALID_ARGUMENT');
      expect(error.suggestion).toContain('c1');
    },
  );

  it('belongs to its window', async () => {
    const on = await stage([
      app({
        windows: [
          windowWith([button('a', 'A')], { focused: true }),
          windowWith([button('b', 'B')], { id: 'other', title: 'Other' }),
        ],
      }),
      app({ id: 'app2', name: 'Player', pid: 200, windows: [windowWith([], { id: 'w3', title: 'Third' })] }),
    ]);
    const { cursor } = await snapshot(on.engine, { window: 'Other' });
    on.world.change('app', 'b', { name: 'Bee' });
    const lines = ['~ button "Bee" @e1: name "B" -> name "Bee"'];
    for (const scope of [{}, { window: 'Other' }, { app: 'Editor' }, { window: '@w1', app: '100' }]) {
      const { changes } = await changesSince(on.engine, cursor, scope);
      expect(outlineChanges(changes).trimEnd().split('\n')).toEqual(lines);
    }
    for (const scope of [{ window: 'Document' }, { app: 'Player' }]) {
      expect((await failureOf(askChanges(on.engine, cursor, scope))).code).toBe('INVALID_ARGUMENT');
    }
    expect((await failureOf(askChanges(on.engine, cursor, { window: 'Nowhere' }))).code).toBe(
      'WINDOW_NOT_FOUND',
    );
  });

  it('is dropped after four more readings of its window that differ; then the answer is the whole tree', async () => {
    const on = await stage([
      app({
        windows: [
          windowWith([button('a', 'A')], { focused: true }),
          windowWith([button('b', 'B'), button('far', 'Far', { states: ['offscreen'] })], {
            id: 'other',
            title: 'Other',
          }),
        ],
      }),
    ]);
    await snapshot(on.engine, { window: 'Other', wholeTree: true });
    for (let count = 0; count < 4; count++) {
      on.world.change('app', 'b', { name: `B${count}` });
      await snapshot(on.engine, { window: 'Other' });
    }
    const result = await askChanges(on.engine, 'c1');
    expect(result.changes).toBeUndefined();
    expect(result.tree).toMatchObject({ role: 'window', name: 'Other' });
    expect(JSON.stringify(result.tree)).toContain('Far');
    expect(await linesSince(on.engine, 'c5')).toEqual([]);
  });

  it('is kept while later readings of its window are the same', async () => {
    const on = await form();
    const { cursor } = await snapshot(on.engine);
    for (let count = 0; count < 6; count++) await snapshot(on.engine);
    on.world.change('app', 'agree', { states: ['checked'] });
    expect(await linesSince(on.engine, cursor)).toEqual(['~ checkbox "Agree" @e1: none -> checked']);
  });

  it('that is used repeatedly is kept', async () => {
    const on = await form();
    const { cursor } = await snapshot(on.engine);
    for (let count = 0; count < 10; count++) {
      on.world.change('app', 'agree', { name: `Agree ${count}` });
      expect(await linesSince(on.engine, cursor)).toHaveLength(1);
    }
    expect((await askChanges(on.engine, 'c5')).changes).toBeUndefined();
  });

  it('of another desktop or of a damaged store is not recalled, that of a search is', async () => {
    const on = await form();
    await snapshot(on.engine);
    await on.engine.find({ ...DEADLINE, query: 'Save', by: 'auto', limit: 5, wholeTree: false });
    expect(await linesSince(on.engine, 'c2')).toEqual([]);
    const document = JSON.stringify(await on.store.load('readings'));
    for (const damaged of [
      null,
      'text',
      { desktop_id: 'simulated', readings: 7 },
      { desktop_id: 'simulated', readings: [null, { cursor: 1 }] },
      JSON.parse(document.replace('simulated', 'another')),
      JSON.parse(document.replaceAll(String.raw`\"button\"`, String.raw`\"nonsense\"`)),
      JSON.parse(document.replaceAll('[1,', '[7,')),
    ]) {
      on.store.put('readings', damaged);
      expect((await askChanges(on.engine, 'c1')).tree?.role).toBe('window');
    }
    on.store.put('readings', JSON.parse(document));
    expect(await linesSince(on.engine, 'c1')).toEqual([]);
  });

  it('works in the next process', async () => {
    const on = await form();
    const { cursor } = await snapshot(on.engine);
    on.world.change('app', 'agree', { states: ['checked'] });
    const { desktop, store, world } = on;
    const next = await createEngine({ desktop, session: store, clock: world.clock });
    expect(await linesSince(next, cursor)).toEqual(['~ checkbox "Agree" @e1: none -> checked']);
  });

  it('whose reading could not be stored is not recalled', async () => {
    const store = new MemoryStore();
    const on = await stage(oneWindow([button('a', 'A')]), store);
    store.full = true;
    const { cursor } = await snapshot(on.engine);
    expect((await askChanges(on.engine, cursor)).tree?.role).toBe('window');
  });
});
