import { closeSync, fstatSync, openSync, readlinkSync } from 'node:fs';
import type { Confinement, SamePlace } from '../../../model/tools/confinement.ts';
import { O_PATH } from './libc-library.ts';
import { SandboxProblem } from './problem.ts';

/**
 * Opens what a rule or mount is about; whatever happens to the path afterwards, the descriptor leads to what was checked here. A link placed by an earlier
 * run would lead elsewhere, so links are refused.
 * @param same what must be there
 * @returns `undefined` if nothing is there
 * @throws SandboxProblem
 */
export function openPlace(path: string, same?: SamePlace): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH);
  } catch {
    if (same !== undefined) throw replaced(path);
    return undefined;
  }
  try {
    requireSame(descriptor, path, same);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Checks the places that must be the same, for a program that is not confined to them. @throws SandboxProblem */
export function requireSamePlaces({ same = [] }: Pick<Confinement, 'same'>): void {
  for (const place of same) {
    const descriptor = openPlace(place.path, place);
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function requireSame(descriptor: number, path: string, same: SamePlace | undefined): void {
  const opened = readlinkSync(`/proc/self/fd/${descriptor}`);
  if (same !== undefined) {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    if (opened !== path || String(dev) !== same.device || String(ino) !== same.inode) throw replaced(path);
  }
  if (opened === path) return;
  throw new SandboxProblem({
    message: `${path} contains a symbolic link: it leads to ${opened}.`,
    suggestion: 'Name the real folder, without symbolic links in its path.',
  });
}

function replaced(path: string): SandboxProblem {
  return new SandboxProblem({
    message: `${path} has been replaced or removed since this call was checked. Nothing was run.`,
    suggestion: 'Check who replaced the folder, then call again.',
    isReplaced: true,
  });
}
