import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { isInside } from '../../model/is-inside.ts';

/** More links on one way than the kernel follows. */
const MOST_LINKS = 40;

export interface GrantOptions {
  /** Folders that confined programs can write anyway; links resolved. */
  readonly writable: readonly string[];
  /** Folders that nothing may be granted in; links resolved where they are there. */
  readonly guarded?: readonly string[] | undefined;
}

/**
 * What the paths of a tool file lead to; those that are not there are left out, as the kernel takes no rule for them. A link that a confined
 * program could have put in the way does not lead out of where that program can write: else it would say what the next one is granted.
 * @throws DeskterityError TOOL_INVALID
 */
export async function grantedPlaces(
  paths: readonly string[],
  { writable, guarded = [] }: GrantOptions,
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => ({ path, ...(await followed(path)) })));
  return found.flatMap(({ path, real, links = [] }) => {
    if (real === undefined) return [];
    for (const link of links)
      for (const folder of writable)
        if (isInside(folder, link) && !isInside(folder, real))
          throw refused(
            path,
            `${quote(link)} leads to ${quote(real)}, and whatever runs here could have put it there`,
          );
    for (const own of guarded)
      if (isInside(own, real) || isInside(real, own))
        throw refused(path, `it leads to ${quote(real)}, and ${quote(own)} is Deskterity's own`);
    return [real];
  });
}

/** Where a path leads, and the links on the way, each by where it really is. */
async function followed(
  path: string,
): Promise<{ readonly real?: string | undefined; readonly links?: readonly string[] }> {
  const links: string[] = [];
  let at = '/';
  let rest = namesOf(path);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') at = dirname(at);
    else {
      const next = join(at, name);
      const stat = await lstat(next).catch(() => undefined);
      if (stat === undefined) return {};
      if (!stat.isSymbolicLink()) at = next;
      else {
        links.push(next);
        const target = links.length > MOST_LINKS ? undefined : await readlink(next).catch(() => undefined);
        if (target === undefined) return {};
        if (isAbsolute(target)) at = '/';
        rest = [...namesOf(target), ...rest];
      }
    }
  }
  return { real: at, links };
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function refused(path: string, reason: string): DeskterityError {
  return new DeskterityError('TOOL_INVALID', `A tool is not granted ${quote(path)}: ${reason}.`, {
    suggestion: 'Look at that link, and name the folder itself in "sandbox" of the tool file.',
  });
}
