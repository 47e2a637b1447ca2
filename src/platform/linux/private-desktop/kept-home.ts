import { statSync } from 'node:fs';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { mentionCommand } from '../../../model/text/mention.ts';
import { isOwnerDead } from './owner.ts';
import { desktopFolders } from './sweep.ts';

/**
 * Two desktops with one HOME would overwrite each other's settings and profiles. What a desktop has as HOME is in its owner file, which counts only
 * while its process lives: a dead one blocks nobody. Call it once the own owner file is written, so that of two processes at least one sees the other.
 * @throws DeskterityError CONFLICT, naming the session
 */
export function requireUnusedHome(home: string, ownId: string): void {
  const wanted = identityOf(home);
  if (wanted === undefined) return;
  for (const { id, owner } of desktopFolders()) {
    if (id === ownId || owner?.home === undefined || isOwnerDead(owner)) continue;
    if (identityOf(owner.home) === wanted) throw inUse(home, owner.session);
  }
}

/** The same folder may have several paths. */
function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

function inUse(home: string, session: string | undefined): DeskterityError {
  const whose = session === undefined ? 'another private desktop' : `session ${JSON.stringify(session)}`;
  return new DeskterityError('CONFLICT', `The folder ${home} is the HOME of ${whose}, which is running.`, {
    suggestion:
      session === undefined
        ? 'Name another folder, or end that desktop first.'
        : `Use that session, name another folder, or end it first: ${mentionCommand('session kill', { name: session })}.`,
  });
}
