import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../paths.ts';
import type { Canary } from './functional-probe.ts';
import type { PathRule } from '../landlock/landlock.ts';
import { SandboxProblem } from '../problem.ts';

const PREFIX = 'deskterity-probe-';
const swept = new Set<string>();

/** Where a file of our own may be made; the first that a sandbox does not reach is taken. */
function places(preferred: string | undefined): string[] {
  return [...(preferred === undefined ? [] : [preferred]), tmpdir(), '/tmp', '/var/tmp', '/dev/shm'];
}

/**
 * A fresh file that the rules do not reach.
 * @param preferred folder to make it in where the rules allow that it serves
 * @throws SandboxProblem when the rules reach every place
 */
export async function makeCanary(rules: readonly PathRule[], preferred?: string): Promise<Canary> {
  for (const place of places(preferred)) {
    const canary = await tryPlace(place, rules);
    if (canary !== undefined) return canary;
  }
  throw new SandboxProblem({
    message: 'The sandbox reaches every folder this user can write, so it would keep nothing out.',
    suggestion: 'Choose the folder of one project as scope, or --no-sandbox if you accept the risk.',
  });
}

export async function removeCanary(canary: Canary): Promise<void> {
  await rm(canary.folder, { recursive: true, force: true });
}

async function tryPlace(place: string, rules: readonly PathRule[]): Promise<Canary | undefined> {
  try {
    const parent = await realpath(place);
    if (rules.some((rule) => isBelow(parent, rule.path))) return undefined;
    await sweep(parent);
    const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
    const file = join(folder, 'canary');
    await writeFile(file, 'outside', { mode: 0o600 });
    return (await readFile(file, 'utf8')) === 'outside' ? { folder, file } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes what processes have left that were killed in the middle of a trial. Once for each place. */
async function sweep(parent: string): Promise<void> {
  if (swept.has(parent)) return;
  swept.add(parent);
  for (const name of await readdir(parent)) {
    const owner = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    if (owner === process.pid || isAlive(owner)) continue;
    // Somebody else's stays.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether `path` is `folder` or something in it. Both absolute. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
