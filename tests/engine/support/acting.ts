import type { Receipt } from '../../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../../simulated/simulated-world.ts';
import { button, DEADLINE, refOf, type Stage } from './stage.ts';

export const STATUS: SimulatedNode = { id: 'status', role: 'text', name: 'Ready' };
export const DEAD = button('dead', 'Dead');

export function pressing(
  press: (world: SimulatedWorld) => void,
  more: Partial<SimulatedNode> = {},
): SimulatedNode {
  return button('go', 'Go', { onPress: press, ...more });
}

export async function click(on: Stage, name = 'Go'): Promise<Receipt> {
  return on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, name) });
}

/** Changes something every `beatMs`, from now on and for a long time. */
export function every(
  world: SimulatedWorld,
  beatMs: number,
  firstMs: number,
  tick: (beat: number) => void,
): void {
  for (let beat = 0; beat < 60; beat++) world.clock.after(firstMs + beat * beatMs, () => tick(beat));
}
