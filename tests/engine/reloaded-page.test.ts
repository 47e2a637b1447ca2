import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, every } from './support/acting.ts';
import { button, oneWindow, stage } from './support/stage.ts';

const page = (id: string, ...more: readonly SimulatedNode[]): SimulatedNode => ({
  id,
  role: 'document',
  name: 'News',
  children: [{ id: `${id} text`, role: 'text', name: 'Nothing new' }, ...more],
});

/** As Firefox reports it: of where the document is, no event tells. */
function load(world: SimulatedWorld, from: string, to: string, ...more: readonly SimulatedNode[]): void {
  world.emit('app', from, 'state-changed', 'busy=1');
  world.node('app', 'frame').children = [page(to, ...more)];
  world.emit('app', to, 'state-changed', 'busy=0');
}

/** Clicks a button beside a page, or in it. */
async function press(onPress: (world: SimulatedWorld) => void, isInside = false): Promise<Receipt> {
  const go = button('go', 'Go', { onPress });
  const frame: SimulatedNode = {
    id: 'frame',
    role: 'group',
    children: [page('old', ...(isInside ? [go] : []))],
  };
  return click(await stage(oneWindow(isInside ? [frame] : [go, frame])));
}

it('a press that loads the page beside it anew is confirmed, although all looks as before', async () => {
  const receipt = await press((world) => load(world, 'old', 'new'));
  expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: false });
  expect(receipt.evidence).toContain('the page was loaded anew: another document has its place');
});

it('but not by events alone, by a document that is still loading, or by one that was made anew without loading', async () => {
  const events = (world: SimulatedWorld): void => {
    world.emit('app', 'old', 'state-changed', 'busy=1');
    world.emit('app', 'old', 'state-changed', 'busy=0');
  };
  expect((await press(events)).effect).toBe('unverified');
  const begin = (world: SimulatedWorld): void => {
    world.emit('app', 'old', 'state-changed', 'busy=1');
    world.node('app', 'frame').children = [page('new')];
  };
  expect((await press(begin)).effect).toBe('unverified');
  const remake = (world: SimulatedWorld): void => {
    world.node('app', 'frame').children = [page('new')];
  };
  expect((await press(remake)).effect).toBe('unverified');
});

it('nor for what is in the page itself, nor if the page goes on being loaded again and again', async () => {
  const again = button('go', 'Go');
  const inside = await press((world) => load(world, 'old', 'new', again), true);
  expect(inside.effect).toBe('unverified');
  const receipt = await press((world) =>
    every(world, 700, 20, (beat) => load(world, beat === 0 ? 'old' : `page ${beat}`, `page ${beat + 1}`)),
  );
  expect(receipt).toMatchObject({ effect: 'unverified' });
});

it('nor by a part of the page that is loaded anew beside a button of the page', async () => {
  const go = button('go', 'Go', { onPress: (world) => load(world, 'old', 'new') });
  const frame: SimulatedNode = { id: 'frame', role: 'group', children: [page('old')] };
  const outer: SimulatedNode = { id: 'outer', role: 'document', name: 'Shop', children: [go, frame] };
  expect((await click(await stage(oneWindow([outer])))).effect).toBe('unverified');
});
