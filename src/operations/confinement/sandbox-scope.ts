import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { isInside } from '../../model/is-inside.ts';
import type { SandboxPort } from '../../ports/sandbox.ts';
import type { Caller } from '../../model/sessions/caller.ts';

export interface ScopeRequest {
  readonly caller: Caller;
  /** `sandbox.scope` of the configuration; empty for the caller's folder. */
  readonly asked: string;
  /** Folders of Deskterity itself: settings, state, cache. */
  readonly own: readonly string[];
  readonly sandbox: Pick<SandboxPort, 'isSystemFolder'>;
}

const NAME_ONE = 'Name a project folder: --sandbox-scope DIR, or DESKTERITY_SANDBOX_SCOPE.';

/**
 * The folder that command-line tools of a caller are confined to, with links resolved. It may not hold Deskterity's own folders, nor be in one:
 * whoever could write there could trust a tool file or answer in the daemon's place.
 * @throws DeskterityError SANDBOX_UNAVAILABLE
 */
export async function sandboxScope({ caller, asked, own, sandbox }: ScopeRequest): Promise<string> {
  const wanted = asked || (caller.environment['AHMA_SANDBOX_SCOPE'] ?? '') || caller.cwd;
  if (wanted === '') throw noScope('The folder to confine commands to is not known.');
  const folder = await folderAt(resolve(caller.cwd, wanted));
  if (folder === undefined) throw noScope(`${quote(wanted)} is no folder that can be entered.`);
  if (sandbox.isSystemFolder(folder)) throw noScope(`${quote(folder)} is the system's own.`);
  const ours = await Promise.all(own.map((path) => nearestReal(path)));
  const around = ours.find((path) => path !== folder && isInside(path, folder));
  if (around !== undefined)
    throw noScope(`The sandbox would be in ${quote(around)}, which is Deskterity's own.`);
  const held = ours.find((path) => isInside(folder, path));
  if (held !== undefined)
    throw noScope(
      folder === '/'
        ? 'The sandbox would be the whole system.'
        : `The sandbox would hold ${quote(held)}, which is Deskterity's own.`,
    );
  return folder;
}

async function folderAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** The path with the links of its existing part resolved. */
export async function nearestReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = resolve(path, '..');
    return parent === path ? path : join(await nearestReal(parent), relative(parent, path));
  }
}

function noScope(message: string): DeskterityError {
  return new DeskterityError('SANDBOX_UNAVAILABLE', message, { suggestion: NAME_ONE });
}
