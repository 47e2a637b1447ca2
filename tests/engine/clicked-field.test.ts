import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

/** Clicks the field "Street", while another field has the focus or none. */
async function click(onPress: Run, more: Partial<SimulatedNode> = {}, other = ['focused']): Promise<Receipt> {
  const on = await stage(
    oneWindow([
      { id: 'name', role: 'textbox', name: 'Name', states: other.map(() => 'focused') },
      {
        id: 'street',
        role: 'textbox',
        name: 'Street',
        states: ['editable'],
        bounds: { x: 10, y: 60, width: 80, height: 30 },
        actions: ['click'],
        onPress,
        ...more,
      },
    ]),
  );
  return on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Street') });
}

const enter: Run = (world) => {
  world.node('app', 'name').states = [];
  const street = world.node('app', 'street');
  street.states = [...(street.states ?? []), 'focused'];
  world.emit('app', 'street', 'focus-changed', 'focused=1');
};

it('a click into a field is confirmed by the focus, which it is made for', async () => {
  expect(await click(enter)).toMatchObject({
    effect: 'confirmed',
    evidence: ['the keyboard focus moved to textbox "Street"', 'application events: focus-changed'],
  });
});

it('so is a click into a spin button, which Qt does not report to be editable', async () => {
  expect((await click(enter, { role: 'spinbutton', states: [] })).effect).toBe('confirmed');
});

it('but not without an event, nor if the focus may have come with the window, nor in what is not written into', async () => {
  const silently: Run = (world) => {
    world.node('app', 'name').states = [];
    world.node('app', 'street').states = ['editable', 'focused'];
  };
  expect((await click(silently)).effect).toBe('unverified');
  expect((await click(enter, {}, [])).effect).toBe('unverified');
  expect((await click(enter, { role: 'button', states: [] })).effect).toBe('unverified');
});
