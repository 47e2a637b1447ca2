import type { ChangesRequest, ChangesResult } from '../../../src/engine/requests/reading.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { outlineChanges } from '../../../src/model/tree/outline.ts';
import type { SimulatedNode } from '../../simulated/simulated-world.ts';
import { STATUS } from './acting.ts';
import { button, DEADLINE, oneWindow, stage, WHOLE, type Stage } from './stage.ts';

type Told = Extract<ChangesResult, { readonly changes: readonly unknown[] }>;

export function askChanges(
  engine: Engine,
  since: string,
  changes: Partial<ChangesRequest> = {},
): Promise<ChangesResult> {
  return engine.changes({
    ...DEADLINE,
    ...WHOLE,
    since,
    print: (_rest, told) => outlineChanges(told),
    ...changes,
  });
}

/** What changed since a cursor whose reading must still be stored. */
export async function changesSince(
  engine: Engine,
  since: string,
  changes: Partial<ChangesRequest> = {},
): Promise<Told> {
  const result = await askChanges(engine, since, changes);
  if (result.changes === undefined) throw new Error(`the reading of ${since} is forgotten`);
  return result;
}

export async function linesSince(engine: Engine, since: string): Promise<string[]> {
  const { changes } = await changesSince(engine, since);
  return outlineChanges(changes).split('\n').slice(0, -1);
}

const AGREE: SimulatedNode = { id: 'agree', role: 'checkbox', name: 'Agree', actions: ['toggle'] };

/** A window with a check box, a status and a button. */
export async function form(): Promise<Stage> {
  return stage(oneWindow([structuredClone(AGREE), structuredClone(STATUS), button('save', 'Save')]));
}
