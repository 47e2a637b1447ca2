import type { Stats } from 'node:fs';
import { link, lstat, realpath, rename, rm, stat } from 'node:fs/promises';
import { DeskterityError } from '../../model/effects/errors.ts';
import { errorCode, isMissing } from '../../model/error-code.ts';
import { reveal } from '../../model/text/untrusted-text.ts';

/** How often a path may appear and disappear under our hands before we give up. */
const MOST_ATTEMPTS = 5;

/** What a file system answers that has no hard links. */
const NO_HARD_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/**
 * The file that writing to `path` creates or replaces: `path` itself, or the file that it links to, so that the link remains.
 * @throws DeskterityError INVALID_ARGUMENT if a folder, named pipe, socket or device is there, or a link to one or to nothing
 */
export async function placeToWrite(path: string): Promise<string> {
  const facts = await lstat(path).catch(unlessMissing);
  if (facts === undefined) return path;
  if (!facts.isSymbolicLink()) {
    refuseUnlessFile(facts, path, 'is');
    return path;
  }
  // The system's own look-up fails for links that another user has put into a shared folder; resolving the names does not.
  const target = await stat(path).catch(unlessMissing);
  if (target === undefined) throw notReplaced(path, 'is a link to a file that does not exist');
  refuseUnlessFile(target, path, 'is a link to');
  const place = await realpath(path);
  const found = await lstat(place);
  if (found.dev !== target.dev || found.ino !== target.ino)
    throw notReplaced(path, 'is a link that another program is changing');
  return place;
}

/**
 * Gives a complete file its final name, in the same folder. Whatever another program puts there meanwhile is replaced only if it is a
 * regular file; except between the look at a regular file and the rename, some microseconds. Exchanging the two and looking at what came out would close
 * that, but Node cannot, and file systems of networks do not; only who may write in this folder could use it, and they can replace the file themselves.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export async function moveToPlace(temporary: string, place: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const facts = await lstat(place).catch(unlessMissing);
    if (facts !== undefined) {
      refuseUnlessFile(facts, place, 'is');
      await rename(temporary, place);
      return;
    }
    try {
      // Unlike a rename, a link never replaces what has appeared since.
      await link(temporary, place);
      await rm(temporary, { force: true });
      return;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST' && attempt < MOST_ATTEMPTS) continue;
      if (!NO_HARD_LINKS.has(code)) throw error;
      await rename(temporary, place);
      return;
    }
  }
}

/** @param is how the sentence goes on after the path: `is`, or `is a link to` */
export function refuseUnlessFile(facts: FileKind, path: string, is: string): void {
  if (!facts.isFile()) throw notReplaced(path, `${is} ${kindOf(facts)}`);
}

type FileKind = Pick<
  Stats,
  'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink' | 'isCharacterDevice' | 'isBlockDevice'
>;

function kindOf(facts: FileKind): string {
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a named pipe';
  if (facts.isSocket()) return 'a socket';
  if (facts.isCharacterDevice() || facts.isBlockDevice()) return 'a device';
  return facts.isSymbolicLink() ? 'a link' : 'no regular file';
}

function notReplaced(path: string, problem: string): DeskterityError {
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `${reveal(path)} ${problem}; only regular files are replaced.`,
    {
      suggestion: 'Nothing was written. Give the path of a regular file, or of a new one.',
    },
  );
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
