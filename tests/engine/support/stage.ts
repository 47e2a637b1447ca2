import { createEngine } from '../../../src/engine/create-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { SnapshotRequest, SnapshotResult } from '../../../src/engine/requests/reading.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { OutputNode } from '../../../src/model/tree/node.ts';
import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../../simulated/simulated-world.ts';
import type { SimulatedApp, SimulatedNode, SimulatedWindow } from '../../simulated/simulated-world.ts';
import { MemoryStore } from './memory-store.ts';

export const DEADLINE = { deadlineMs: 10_000 };
const BOUNDS = { x: 0, y: 0, width: 800, height: 600 };
const BUTTON_BOUNDS = { x: 10, y: 10, width: 80, height: 30 };
const ROW_HEIGHT = 40;

/** A simulated desktop with an engine on it. */
export interface Stage {
  readonly world: SimulatedWorld;
  readonly desktop: SimulatedDesktop;
  readonly store: MemoryStore;
  readonly engine: Engine;
}

export async function stage(apps: SimulatedApp[], store = new MemoryStore()): Promise<Stage> {
  const world = new SimulatedWorld(apps);
  const desktop = new SimulatedDesktop(world);
  return {
    world,
    desktop,
    store,
    engine: await createEngine({ desktop, session: store, clock: world.clock }),
  };
}

/** One application `app` with one window `win` that holds `children`. */
export function oneWindow(children: SimulatedNode[], changes: Partial<SimulatedApp> = {}): SimulatedApp[] {
  return [app({ windows: [windowWith(children)], ...changes })];
}

export function app(changes: Partial<SimulatedApp>): SimulatedApp {
  return { id: 'app', name: 'Editor', pid: 100, windows: [], ...changes };
}

export function windowWith(
  children: SimulatedNode[],
  changes: Partial<SimulatedWindow> = {},
): SimulatedWindow {
  const id = changes.id ?? 'win';
  const title = changes.title ?? 'Document';
  layOut(children);
  return {
    id,
    title,
    bounds: BOUNDS,
    root: { id: `${id}-root`, role: 'window', name: title, bounds: BOUNDS, children },
    ...changes,
  };
}

/** Buttons stand below each other, so that none covers another. */
function layOut(children: readonly SimulatedNode[], first = 0): number {
  let row = first;
  for (const child of children) {
    if (child.bounds === BUTTON_BOUNDS) child.bounds = { ...BUTTON_BOUNDS, y: 10 + row++ * ROW_HEIGHT };
    row = layOut(child.children ?? [], row);
  }
  return row;
}

export function button(id: string, name: string, more: Partial<SimulatedNode> = {}): SimulatedNode {
  return {
    id,
    role: 'button',
    name,
    actions: ['click'],
    bounds: BUTTON_BOUNDS,
    ...more,
  };
}

export const WHOLE: Omit<SnapshotRequest, 'deadlineMs'> = {
  includeBounds: false,
  includeActions: false,
  interactiveOnly: false,
  compact: false,
  wholeTree: false,
  form: 'outline',
};

export function snapshot(engine: Engine, changes: Partial<SnapshotRequest> = {}): Promise<SnapshotResult> {
  return engine.snapshot({ ...DEADLINE, ...WHOLE, ...changes });
}

export function flatten(node: OutputNode): OutputNode[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}

/** The refs of a fresh snapshot by name. */
export async function refsByName(
  engine: Engine,
  changes: Partial<SnapshotRequest> = {},
): Promise<Map<string, string>> {
  const { tree } = await snapshot(engine, changes);
  return new Map(flatten(tree).flatMap(({ ref, name }) => (ref && name ? [[name, ref] as const] : [])));
}

export async function refOf(engine: Engine, name: string): Promise<string> {
  const ref = (await refsByName(engine)).get(name);
  if (ref === undefined) throw new Error(`the snapshot shows no ${name}`);
  return ref;
}

/** The error a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<DeskterityError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof DeskterityError) return error;
  throw error;
}
