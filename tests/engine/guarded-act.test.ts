import { expect, it } from 'vitest';
import type { GuardedAct } from '../../src/engine/requests/acting.ts';
import { whyDestructive } from '../../src/model/destructive/destructive-act.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, stage } from './support/stage.ts';

const BOUNDS = { x: 10, y: 10, width: 80, height: 30 };
const written = (id: string, name: string): SimulatedNode => ({ id, role: 'text', name, bounds: BOUNDS });

/** What a guard is told about a click on the only element of this role. */
async function told(node: SimulatedNode): Promise<{ about: GuardedAct; names: readonly string[] }> {
  const { engine } = await stage(oneWindow([node]));
  let found: { about: GuardedAct; names: readonly string[] } | undefined;
  const guard = async (about: GuardedAct): Promise<void> => {
    found = { about, names: (await about.elements()).map(({ role, name }) => `${role} ${name}`) };
  };
  await engine.click({ ...DEADLINE, ref: `role:${node.role}`, guard }).catch(() => undefined);
  if (found === undefined) throw new Error('no guard was asked');
  return found;
}

it('tells of an element without a name what is written inside it', async () => {
  const button = {
    id: 'b',
    role: 'button',
    name: '',
    bounds: BOUNDS,
    children: [written('t', 'Delete all')],
  } as const;
  const { about, names } = await told({
    ...button,
    children: [...button.children],
    onPress: () => undefined,
  });
  expect(about.target.name).toBe('Delete all');
  expect(whyDestructive(about)).toBeDefined();
  expect(names).toContain('button Delete all');
});

it('and of what contains an element, as far as that is named by what is in it', async () => {
  const label = written('t', 'green');
  const row: SimulatedNode = { id: 'r', role: 'listitem', name: '', bounds: BOUNDS, children: [label] };
  const { names } = await told({ id: 'l', role: 'list', name: 'Colours', bounds: BOUNDS, children: [row] });
  expect(names).toEqual(['list Colours', 'window Document']);
  expect((await told(row)).names).toEqual(['listitem green', 'window Document']);
});
