import path from 'node:path';
import type { Environment } from '../../../../../../model/sessions/caller.ts';

/** By which GNOME Shell knows our extension. */
export const EXTENSION_ID = 'deskterity@deskterity.io';

/** The object that our extension puts on the shell's own connection to the session bus. */
export const EXTENSION = {
  destination: 'org.gnome.Shell',
  path: '/io/deskterity/Shell',
  interface: 'io.deskterity.Shell1',
} as const;

/** What both sides must agree on; another number is another program. */
export const EXTENSION_VERSION = 1;

export const SCRIPT_FILE = 'extension.js';
export const METADATA_FILE = 'metadata.json';
/** A random text. Whoever can read it is admitted. */
export const SECRET_FILE = 'secret';

/** Where the shell looks for the extension of a user; `undefined` if no home folder is named. */
export function extensionFolder(environment: Environment): string | undefined {
  const data = environment['XDG_DATA_HOME'];
  const home = environment['HOME'];
  const folder = `gnome-shell/extensions/${EXTENSION_ID}`;
  if (data !== undefined && path.isAbsolute(data)) return path.join(data, folder);
  return home !== undefined && path.isAbsolute(home) ? path.join(home, '.local/share', folder) : undefined;
}
