import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../../../tests/e2e/support/kill-world.ts';
import { busFacts } from './buses.ts';
import { readGauge } from './gauge.ts';
import type { Sample } from './judge.ts';

const SETTLE_LIMIT_MS = 15_000;
const SETTLE_POLL_MS = 250;
/** As often in a row as the numbers must be the same. */
const SAME = 4;

/** Waits until nothing moves any more, then measures everything that could grow. */
export async function takeSample(
  world: World,
  { daemon, gaugeFolder }: { readonly daemon: number; readonly gaugeFolder: string },
): Promise<Sample> {
  await untilSettled(world, daemon);
  const state = join(world.folder, 'h/.local/state/deskterity');
  const records = ['operations', 'terminals'].map((name) => join(state, name));
  const isOutput = ({ path }: Found): boolean => records.some((folder) => path.startsWith(`${folder}/`));
  const all = filesBelow(state);
  const outputs = all.filter(isOutput);
  const kept = all.filter((file) => !isOutput(file));
  const held = await readGauge(gaugeFolder, daemon);
  return {
    ...countsOf(world, daemon),
    ...(await busFacts(world.members())),
    ...held,
    threads: names(`/proc/${daemon}/task`).length,
    files: kept.length + names(join(world.folder, 'r/deskterity')).length,
    stateBytes: bytesOf(kept),
    temporary: names(join(world.folder, 't')).filter(
      (name) => !/^(?:deskterity-desktop-|node-compile-cache)/.test(name),
    ).length,
    logBytes: bytesOf(filesBelow(join(world.folder, 'h/.cache/deskterity/logs'))),
    records: records.reduce((sum, folder) => sum + names(folder).length, 0),
    outputBytes: bytesOf(outputs),
  };
}

/** The few numbers that tell whether something is still ending. */
function countsOf(world: World, daemon: number): { descriptors: number; children: number; members: number } {
  const members = world.members();
  return {
    descriptors: names(`/proc/${daemon}/fd`).length,
    children: members.filter(({ parent }) => parent === daemon).length,
    members: members.length,
  };
}

async function untilSettled(world: World, daemon: number): Promise<void> {
  const end = performance.now() + SETTLE_LIMIT_MS;
  let [before, same] = ['', 0];
  while (same < SAME && performance.now() < end) {
    const now = JSON.stringify(countsOf(world, daemon));
    same = now === before ? same + 1 : 0;
    before = now;
    await sleep(SETTLE_POLL_MS);
  }
}

interface Found {
  readonly path: string;
  readonly bytes: number;
}

function filesBelow(folder: string): Found[] {
  return entries(folder).flatMap((entry): Found[] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    try {
      return [{ path, bytes: lstatSync(path).size }];
    } catch {
      // It was removed meanwhile.
      return [];
    }
  });
}

function bytesOf(files: readonly Found[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function names(folder: string): string[] {
  return entries(folder).map(({ name }) => name);
}

/** The warning that Node prints when listeners pile up on one object, wherever the daemon logged it. */
export function warnings(world: World): string[] {
  const logs = filesBelow(join(world.folder, 'h/.cache/deskterity/logs'));
  return logs.flatMap(({ path }) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /MaxListenersExceeded|uncaught exception|unhandled rejection/.test(line)),
  );
}
