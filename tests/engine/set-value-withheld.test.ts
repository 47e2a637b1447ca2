import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { pressing } from './support/acting.ts';
import { linesSince } from './support/changes.ts';
import { DEADLINE, failureOf, oneWindow, refOf, snapshot, stage, type Stage } from './support/stage.ts';

const SECRET = 'correct-horse';

const field = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'name',
  role: 'textbox',
  name: 'Name',
  value: '',
  accepts: 'text',
  ...more,
});

/** Writes without looking first: a snapshot would be one more reading. */
async function write(on: Stage, value: string, withheld: boolean, ref = '@e1'): Promise<Receipt> {
  return on.engine.setValue({ ...DEADLINE, ref, value, withheld });
}

async function kept(on: Stage): Promise<string> {
  return JSON.stringify([await on.store.load('readings'), await on.store.load('refs')]);
}

/** A field and a button that fills it by itself. */
async function filled(): Promise<Stage> {
  const on = await stage(
    oneWindow([field(), pressing((world) => world.change('app', 'name', { value: `${SECRET}-2` }))]),
  );
  await snapshot(on.engine);
  return on;
}

describe('a withheld value', () => {
  it('is in no receipt and no document, now and after later readings', async () => {
    const on = await filled();
    const receipt = await write(on, SECRET, true);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      changes: [{ before: 'value ""', after: 'value "[withheld]"' }],
    });
    expect(JSON.stringify(receipt)).not.toContain(SECRET);
    expect(JSON.stringify(await snapshot(on.engine))).toContain(SECRET);
    const other = {
      ...on,
      engine: await createEngine({ desktop: on.desktop, session: on.store, clock: on.world.clock }),
    };
    await snapshot(other.engine);
    expect(await kept(other)).not.toContain(SECRET);
    // No checksum either: a secret could be guessed from it.
    expect(await kept(other)).not.toContain(`${SECRET.length}:`);
  });

  it('is not shown as the previous value in the next receipt, nor after another act', async () => {
    const on = await filled();
    await write(on, SECRET, true);
    const click = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go') });
    expect(click.effect).toBe('confirmed');
    expect(JSON.stringify(click)).not.toContain(SECRET);
    expect(click.changes).toMatchObject([{ before: 'value "[withheld]"', after: 'value "[withheld]"' }]);
    const open = await write(on, 'Ada', false);
    expect(open.changes).toMatchObject([{ before: 'value "[withheld]"', after: 'value "Ada"' }]);
    expect(JSON.stringify(open)).not.toContain(SECRET);
  });

  it('is in no failure either', async () => {
    const on = await filled();
    const take = (value: string): void => {
      on.desktop.setValue = async (node) => {
        on.world.change(node.app, node.path, { value });
        return { accepted: true, delivered: true, via: 'test' };
      };
    };
    take(SECRET.slice(0, 7));
    const partial = await failureOf(write(on, SECRET, true));
    expect(partial.result).toMatchObject({ effect: 'partial' });
    take(SECRET);
    await write(on, SECRET, true);
    const refused = await failureOf(write(on, 'Ada', false));
    expect(refused.result).toMatchObject({ effect: 'no_op' });
    for (const error of [partial, refused])
      expect(JSON.stringify([error.toBody(), error.result])).not.toContain('correct');
    await snapshot(on.engine);
    expect(await kept(on)).not.toContain('correct');
  });

  it('is not stored if the act ends before its receipt', async () => {
    const on = await filled();
    on.desktop.setValue = async (node, value) => {
      on.world.change(node.app, node.path, { value });
      throw new Error('the application went away');
    };
    await expect(write(on, SECRET, true)).rejects.toThrow('went away');
    await snapshot(on.engine);
    expect(await kept(on)).not.toContain(SECRET);
  });

  it('is reported since a cursor only as present or absent; a value confirmed openly is reported again', async () => {
    const on = await filled();
    const { cursor } = await snapshot(on.engine);
    const { cursor: written } = await write(on, SECRET, true);
    expect((await linesSince(on.engine, cursor)).join('\n')).toContain('value "" -> value "[withheld]"');
    expect((await linesSince(on.engine, written)).join('\n')).not.toContain('value');
    on.world.change('app', 'name', { value: '' });
    expect((await linesSince(on.engine, written)).join('\n')).toContain('value "[withheld]" -> value ""');
    const { cursor: open } = await write(on, 'Ada', false);
    on.world.change('app', 'name', { value: 'Eve' });
    expect((await linesSince(on.engine, open)).join('\n')).toContain('value "Ada" -> value "Eve"');
    expect(await kept(on)).not.toContain('withheld":[');
  });

  it('is removed from earlier readings, too', async () => {
    const on = await filled();
    await write(on, SECRET, false);
    expect(await kept(on)).toContain(SECRET);
    await write(on, SECRET, true);
    expect(await kept(on)).not.toContain(SECRET);
  });

  it('is not in elements inside the field', async () => {
    const inner: SimulatedNode = { id: 'inner', role: 'text', name: 'x' };
    const on = await stage(oneWindow([field({ children: [inner] })]));
    await snapshot(on.engine);
    on.desktop.setValue = async (node, value) => {
      on.world.change('app', 'inner', { name: value });
      on.world.change(node.app, node.path, { value });
      return { accepted: true, delivered: true, via: 'test' };
    };
    expect(JSON.stringify(await write(on, SECRET, true))).not.toContain(SECRET);
    await snapshot(on.engine, { wholeTree: true });
    expect(JSON.stringify(await on.store.load('readings'))).not.toContain(SECRET);
  });
});
