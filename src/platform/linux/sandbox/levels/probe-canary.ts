import { byPerson } from '../../../../model/text/mention.ts';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../paths.ts';
import type { Canary } from './functional-probe.ts';
import type { PathRule } from '../landlock/landlock.ts';
import { SandboxProblem } from '../problem.ts';

const PREFIX = 'deskterity-probe-';
const swept = new Set<string>();

/** Folders to try for the canary; the first one outside the sandbox is used. */
function places(preferred: string | undefined): string[] {
  return [...(preferred === undefined ? [] : [preferred]), tmpdir(), '/tmp', '/var/tmp', '/dev/shm'];
}

/**
 * Creates a file that the rules do not cover.
 * @param preferred folder to create it in, if the rules do not cover it
 * @throws SandboxProblem if the rules cover every folder
 */
export async function makeCanary(rules: readonly PathRule[], preferred?: string): Promise<Canary> {
  for (const place of places(preferred)) {
    const canary = await tryPlace(place, rules);
    if (canary !== undefined) return canary;
  }
  throw new SandboxProblem({
    message: 'The sandbox includes every folder this user can write, so it would protect nothing.',
    suggestion: `${byPerson('Use the folder of one project as the scope, or --no-sandbox if you accept the risk')}.`,
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

/** Removes the canaries of killed processes. Once per folder. */
async function sweep(parent: string): Promise<void> {
  if (swept.has(parent)) return;
  swept.add(parent);
  for (const name of await readdir(parent)) {
    const owner = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    if (owner === process.pid || isAlive(owner)) continue;
    // Those of other users cannot be removed.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether `path` is `folder` or inside it. Both are absolute. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
