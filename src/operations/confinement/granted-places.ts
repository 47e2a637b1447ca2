import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { isInside } from '../../model/is-inside.ts';

/** The kernel's limit of links in one path. */
const MOST_LINKS = 40;

export interface GrantOptions {
  /** Folders that confined programs can already write; links resolved. */
  readonly writable: readonly string[];
  /** Folders in which nothing may be granted; links resolved where they exist. */
  readonly guarded?: readonly string[] | undefined;
}

/**
 * Resolves the paths of a tool file; missing ones are left out, as the kernel accepts no rule for them. A link that a confined program could
 * have created must not lead outside the folders it can write, or it would choose what the next program is granted.
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
            `${quote(link)} leads to ${quote(real)}, and a confined program could have created that link`,
          );
    for (const own of guarded)
      if (isInside(own, real) || isInside(real, own))
        throw refused(path, `it leads to ${quote(real)}, and ${quote(own)} belongs to Deskterity`);
    return [real];
  });
}

/** The target of a path, and the real paths of the links in it. */
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
  return new DeskterityError('TOOL_INVALID', `A tool may not access ${quote(path)}: ${reason}.`, {
    suggestion: 'Check the link, and name the real folder in "sandbox" of the tool file.',
  });
}
