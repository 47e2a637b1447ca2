import { byPerson } from '../../model/text/mention.ts';
import { realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { isInside } from '../../model/is-inside.ts';
import type { SandboxPort } from '../../ports/sandbox.ts';
import type { Caller, FixedFolder } from '../../model/sessions/caller.ts';
import { fixFolder, requireFixedFolder } from './fixed-folder.ts';

export interface ScopeRequest {
  readonly caller: Caller;
  /** `sandbox.scope` of the configuration; empty for the caller's folder. */
  readonly asked: string;
  /** Folders of Deskterity itself: settings, state, cache. */
  readonly own: readonly string[];
  readonly sandbox: Pick<SandboxPort, 'isSystemFolder'>;
}

const CHOOSE_FOLDER = `${byPerson('Choose a project folder with --sandbox-scope DIR or DESKTERITY_SANDBOX_SCOPE')}.`;

/**
 * The folder that a caller's command-line tools are confined to, with links resolved. It must neither contain nor be inside one of
 * Deskterity's own folders: a program that can write there could trust a tool file or impersonate the daemon.
 * @throws DeskterityError SANDBOX_UNAVAILABLE; POLICY_DENIED if the caller's fixed folder is no longer the same
 */
export async function sandboxScope(request: ScopeRequest): Promise<string> {
  return (await scopeFolder(request)).path;
}

/** The same, with what identifies the folder from here to the start of a program in it. @throws DeskterityError as {@link sandboxScope} */
export async function scopeFolder({ caller, asked, own, sandbox }: ScopeRequest): Promise<FixedFolder> {
  const wanted = asked || (caller.environment['AHMA_SANDBOX_SCOPE'] ?? '') || caller.cwd;
  if (wanted === '') throw noScope('The folder to confine commands to is unknown.');
  const given = resolve(caller.cwd, wanted);
  const fixed = caller.fixedFolder && (await requireFixedFolder(caller.fixedFolder));
  // Looked at once: between two looks it could be replaced, and put back.
  const found = fixed?.given === given ? fixed : await fixFolder(given);
  if (found === undefined) throw noScope(`${quote(wanted)} is not an accessible folder.`);
  const { path: folder } = found;
  if (sandbox.isSystemFolder(folder)) throw noScope(`${quote(folder)} is a system folder.`);
  const ours = await Promise.all(own.map((path) => nearestReal(path)));
  const around = ours.find((path) => path !== folder && isInside(path, folder));
  if (around !== undefined)
    throw noScope(`The sandbox would be inside ${quote(around)}, which belongs to Deskterity.`);
  const held = ours.find((path) => isInside(folder, path));
  if (held !== undefined)
    throw noScope(
      folder === '/'
        ? 'The sandbox would include the whole system.'
        : `The sandbox would include ${quote(held)}, which belongs to Deskterity.`,
    );
  return found;
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
  return new DeskterityError('SANDBOX_UNAVAILABLE', message, { suggestion: CHOOSE_FOLDER });
}
