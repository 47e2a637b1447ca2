import { setTimeout as sleep } from 'node:timers/promises';
import type { Fixture, FixtureKind } from '../../../fixtures/driver.ts';
import type { NodeHandle } from '../../../src/model/tree/node.ts';
import type { TreeResult } from '../../../src/ports/desktop/elements.ts';
import type { Stage } from '../../../tests/linux/long-lived/stage.ts';
import { differences } from './compare.ts';
import { mutate, randomMutation, type Mutation } from './mutations.ts';

const CALL = { deadlineMs: 10_000 };
/** For the application to draw and report what it changed. */
const SETTLE_MS: Readonly<Record<FixtureKind, number>> = {
  gtk3: 100,
  gtk4: 200,
  qt5: 100,
  qt6: 100,
  swing: 200,
};
/** Some toolkits report late; a difference that goes away by itself is none. */
const LATE_MS = [300, 1000] as const;

/** How a run of mutations went. */
export interface MirrorRun {
  /** Mutations that the application accepted. */
  readonly applied: number;
  /** After how many of them the mirrored tree was that of a fresh walk. */
  readonly equal: number;
  /** Messages per reading. */
  readonly calls: { readonly mirrored: number; readonly fresh: number };
  readonly failures: readonly string[];
}

/** Lets a fixture change itself at random and compares, after each change, what the mirror tells with a fresh walk of its window: every node and field. */
export async function runMutations(
  stage: Stage,
  fixture: Fixture,
  options: { readonly count: number; readonly random: () => number; readonly wholeTree: boolean },
): Promise<MirrorRun> {
  const { count, random, wholeTree } = options;
  const { root } = await stage.window(fixture.pid);
  const read = (mirrored: boolean): Promise<TreeResult> => readAll(stage, root, { mirrored, wholeTree });
  await untilMirrored(read);
  const failures: string[] = [];
  const calls = { mirrored: 0, fresh: 0 };
  let applied = 0;
  for (let done = 0; done < count; done++) {
    const mutation = randomMutation(fixture.kind, random);
    if (!(await mutate(fixture, mutation))) continue;
    applied++;
    // What is read while the application is still changing must not be kept for later.
    for (let early = Math.floor(random() * 3); early > 0; early--) await read(true);
    await sleep(SETTLE_MS[fixture.kind]);
    const failure = await difference(read, calls);
    if (failure !== undefined) failures.push(`${told(mutation)}: ${failure}`);
  }
  const of = (sum: number): number => Math.round(sum / Math.max(1, applied));
  return {
    applied,
    equal: applied - failures.length,
    calls: { mirrored: of(calls.mirrored), fresh: of(calls.fresh) },
    failures,
  };
}

async function difference(
  read: (mirrored: boolean) => Promise<TreeResult>,
  calls: { mirrored: number; fresh: number },
): Promise<string | undefined> {
  const compare = async (): Promise<ReturnType<typeof differences>> => {
    const mirrored = await read(true);
    const fresh = await read(false);
    calls.mirrored += mirrored.callCount;
    calls.fresh += fresh.callCount;
    return differences(mirrored, fresh);
  };
  let found = await compare();
  for (const ms of LATE_MS) {
    if (found.length === 0) return undefined;
    await sleep(ms);
    found = await compare();
  }
  const [first] = found;
  return first && `${first.field} of ${first.place} is ${first.mirrored}, by a fresh walk ${first.fresh}`;
}

/** The first reading begins to observe an application; its answers are used once all its events arrive. */
async function untilMirrored(read: (mirrored: boolean) => Promise<TreeResult>): Promise<void> {
  const fresh = await read(false);
  for (let attempt = 0; attempt < 100; attempt++) {
    const mirrored = await read(true);
    if (mirrored.callCount < fresh.callCount) return;
    await sleep(50);
  }
  throw new Error('the mirror was never used');
}

function readAll(
  stage: Stage,
  root: NodeHandle,
  options: { readonly mirrored: boolean; readonly wholeTree: boolean },
): Promise<TreeResult> {
  return stage.desktop.readTree({ ...CALL, root, ...options, maxNodes: 20_000, includeActions: false });
}

function told({ op, fields }: Mutation): string {
  return `${op} ${JSON.stringify(fields)}`;
}
