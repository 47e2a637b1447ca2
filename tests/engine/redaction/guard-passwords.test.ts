import { describe, expect, it } from 'vitest';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { guardPasswords } from '../../../src/engine/redaction/guard-passwords.ts';
import type { SimulatedNode } from '../../simulated/simulated-world.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { DEADLINE, oneWindow, stage, type Stage } from '../support/stage.ts';

const SECRET = 'hunter2secret';
const WHOLE = {
  ...DEADLINE,
  interactiveOnly: false,
  compact: false,
  includeBounds: true,
  includeActions: false,
  wholeTree: false,
  form: 'json',
} as const;

const field = (changes: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'password',
  role: 'textbox',
  name: 'Password',
  value: '',
  states: ['editable', 'protected'],
  accepts: 'text',
  ...changes,
});

/** What a reader of the window gets to know, and what was said about the field alone. */
async function readAll({ engine, store }: Stage): Promise<string> {
  const seen = await engine.snapshot(WHOLE);
  const found = await engine.find({ ...DEADLINE, query: 'Password', by: 'auto', wholeTree: false });
  const tree = JSON.stringify(seen);
  const described = await engine.describe({ ref: found.matches[0]?.ref ?? '', ...DEADLINE });
  const kept = JSON.stringify([await store.load('refs'), await store.load('readings')]);
  return tree + JSON.stringify([found, described]) + kept;
}

describe('a field that was a password field', () => {
  it('stays one when it shows its text', async () => {
    const place = await stage(oneWindow([field()]));
    await readAll(place);
    const node = place.world.node('app', 'password');
    node.states = ['editable'];
    node.value = SECRET;
    const read = await readAll(place);
    expect(read).not.toContain(SECRET);
    expect(read).toContain('protected');
  });

  it('stays one for other sessions', async () => {
    const place = await stage(oneWindow([field()]));
    await readAll(place);
    const node = place.world.node('app', 'password');
    node.states = ['editable'];
    node.value = SECRET;
    const engine = await createEngine({
      desktop: place.desktop,
      session: new MemoryStore(),
      clock: place.world.clock,
    });
    expect(await readAll({ ...place, engine })).not.toContain(SECRET);
  });

  it('stays one if its toolkit has another object for it from then on', async () => {
    const place = await stage(
      oneWindow([field(), { id: 'other', role: 'textbox', name: 'City', value: 'Ulm' }]),
    );
    await readAll(place);
    const root = place.world.node('app', 'win-root');
    root.children = [
      field({ id: 'shown', states: ['editable'], value: SECRET }),
      { id: 'other', role: 'textbox', name: 'City', value: 'Ulm' },
    ];
    const read = await readAll(place);
    expect(read).not.toContain(SECRET);
    expect(read).toContain('Ulm');
  });

  it('is known by the characters that it shows instead of its text', async () => {
    const place = await stage(oneWindow([field({ states: ['editable'], value: '\u25CF\u25CF\u25CF' })]));
    expect(await readAll(place)).toContain('protected');
    place.world.node('app', 'password').value = SECRET;
    expect(await readAll(place)).not.toContain(SECRET);
  });

  it('leaves fields that contain an asterisk alone', async () => {
    const place = await stage(oneWindow([field({ states: ['editable'], value: '*' })]));
    expect(await readAll(place)).not.toContain('protected');
  });

  it('is left out of what contains it', async () => {
    const group: SimulatedNode = {
      id: 'group',
      role: 'group',
      name: SECRET,
      description: SECRET,
      children: [
        field({ children: [{ id: 'inside', role: 'text', name: SECRET }] }),
        { id: 'label', role: 'text', name: 'beside it' },
      ],
    };
    const place = await stage(oneWindow([group]));
    const read = await readAll(place);
    expect(read).not.toContain(SECRET);
    expect(read).toContain('beside it');
  });
});

it('gives back the same tree where there are no password fields', async () => {
  const { desktop } = await stage(oneWindow([{ id: 'a', role: 'button', name: 'A' }]));
  const guard = guardPasswords(desktop);
  expect(guardPasswords(desktop)).toBe(guard);
  expect(guardPasswords(guard)).toBe(guard);
});
