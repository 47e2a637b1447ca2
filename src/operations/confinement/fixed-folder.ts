import { realpath, stat } from 'node:fs/promises';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { FixedFolder } from '../../model/sessions/caller.ts';
import { byPerson } from '../../model/text/mention.ts';
import { quote } from '../../model/text/untrusted-text.ts';

/** The folder at an absolute path as it is now; `undefined` if there is none. */
export async function fixFolder(given: string): Promise<FixedFolder | undefined> {
  try {
    const path = await realpath(given);
    // A number does not hold all bits of these.
    const facts = await stat(path, { bigint: true });
    if (!facts.isDirectory()) return undefined;
    return { given, path, device: String(facts.dev), inode: String(facts.ino) };
  } catch {
    return undefined;
  }
}

/**
 * A confined program in a folder around this one can replace it by a link to anywhere, so that the next call would be confined to what the
 * link names.
 * @throws DeskterityError POLICY_DENIED if another folder is there now, or none
 */
export async function requireFixedFolder(fixed: FixedFolder): Promise<FixedFolder> {
  const now = await fixFolder(fixed.given);
  const isSame = now?.path === fixed.path && now.device === fixed.device && now.inode === fixed.inode;
  if (isSame) return fixed;
  throw new DeskterityError(
    'POLICY_DENIED',
    `The folder ${quote(fixed.path)}, to which this connection is confined, ${now === undefined ? 'no longer exists' : 'has been replaced'} since it connected. Nothing was run.`,
    {
      suggestion: `${byPerson('Check who replaced the folder, then start the MCP server again')}.`,
      delivered: false,
    },
  );
}
