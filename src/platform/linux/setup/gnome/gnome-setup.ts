import { randomBytes } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { mentionCommand } from '../../../../model/text/mention.ts';
import { reveal } from '../../../../model/text/untrusted-text.ts';
import type { DesktopSetup, SetupRequest, SetupResult } from '../../../../ports/desktop/desktop-setup.ts';
import {
  EXTENSION_ID,
  extensionFolder,
  METADATA_FILE,
  SCRIPT_FILE,
  SECRET_FILE,
} from '../../display/wayland/mutter/extension/extension-place.ts';
import { foreign, noHome, removed, textOf, written } from '../own-files.ts';
import { extensionScript } from './extension-script.ts';
import { shellVersion, ShellSettings } from './gnome-tools.ts';

const SECRET_BYTES = 32;
const SECRET = /^[0-9a-f]{64}$/;
/** By which we know the folder as ours. */
const MARK = 'deskterity-setup';

const Metadata = z.object({ [MARK]: z.literal('gnome') });

/**
 * GNOME Shell does for no other program what only it can do: raise a window, move it, tell where it is, take a picture. An extension of ours does. The shell
 * reads new extensions when it starts, and only then, so a new login is needed.
 */
export class GnomeSetup implements DesktopSetup {
  async run({ environment, isUndo, isTrial }: SetupRequest): Promise<SetupResult> {
    const folder = extensionFolder(environment);
    if (folder === undefined) throw noHome('extensions');
    const settings = new ShellSettings(environment);
    const [metadata, script, secret, { isNamed, isOn }] = await Promise.all([
      textOf(path.join(folder, METADATA_FILE)),
      textOf(path.join(folder, SCRIPT_FILE)),
      textOf(path.join(folder, SECRET_FILE)),
      // Files can be removed without them.
      settings.stateOf(EXTENSION_ID).catch((error: unknown) => {
        if (isUndo) return { isNamed: false, isOn: false };
        throw error;
      }),
    ]);
    const isThere = [metadata, script, secret].some((each) => each !== undefined);
    if (isThere && !isOurs(metadata)) throw foreign(folder);
    const file = path.join(folder, SCRIPT_FILE);
    if (isUndo) {
      if (!isTrial) {
        // First, so that a running shell ends it before its files are gone.
        if (isNamed) await settings.turn(EXTENSION_ID, false);
        if (isThere) await removeAll(folder);
      }
      return { file, hasChanged: isThere || isNamed, content: undefined, ...undone(folder) };
    }
    const version = await shellVersion(environment);
    const wanted = { script: extensionScript(version), metadata: metadataFor(version) };
    const hasSecret = secret !== undefined && SECRET.test(secret);
    const isWritten = hasSecret && script === wanted.script && metadata === wanted.metadata;
    if (!isTrial) {
      if (!hasSecret)
        await written(path.join(folder, SECRET_FILE), randomBytes(SECRET_BYTES).toString('hex'), 0o600);
      if (!isWritten) {
        await written(path.join(folder, METADATA_FILE), wanted.metadata);
        await written(file, wanted.script);
      }
      if (!isOn) await settings.turn(EXTENSION_ID, true);
    }
    const areAllOff = await settings.areAllOff();
    return {
      file,
      hasChanged: !isWritten || !isOn,
      content: wanted.script,
      ...done(folder, areAllOff),
    };
  }
}

function done(folder: string, areAllOff: boolean): Pick<SetupResult, 'also' | 'allows' | 'next'> {
  const off = areAllOff ? 'Turn extensions on in the Extensions application: all are off now. Then l' : 'L';
  return {
    also: [
      `${reveal(path.join(folder, METADATA_FILE))} says for which GNOME Shell it is.`,
      `${reveal(path.join(folder, SECRET_FILE))} has a random text that only you can read.`,
      `The setting enabled-extensions of GNOME Shell names ${EXTENSION_ID}.`,
    ],
    allows:
      'Programs that can read your files and reach your session bus, not only Deskterity, can then list your windows, bring them to the front, move, resize, minimize, maximize and close them, and take pictures of the screen without being asked; not while it is locked.',
    next: `${off}og out and in again: GNOME Shell reads new extensions only when it starts. Then run ${mentionCommand('permissions')} to see whether it answers.`,
  };
}

function undone(folder: string): Pick<SetupResult, 'also' | 'allows' | 'next'> {
  return {
    also: [
      `The other files of ${reveal(folder)} are removed.`,
      `The setting enabled-extensions of GNOME Shell no longer names ${EXTENSION_ID}.`,
    ],
    allows: 'GNOME Shell does none of this for other programs any more.',
    next: 'GNOME Shell ends it at once; nothing else is to be done.',
  };
}

function metadataFor(version: number): string {
  const metadata = {
    uuid: EXTENSION_ID,
    name: 'Deskterity',
    description:
      'Lets Deskterity list and arrange the windows of this session and take pictures of them. Written by "desk setup gnome".',
    'shell-version': [String(version)],
    // Not while the screen is locked.
    'session-modes': ['user'],
    [MARK]: 'gnome',
  };
  return `${JSON.stringify(metadata, undefined, 2)}\n`;
}

function isOurs(metadata: string | undefined): boolean {
  try {
    return Metadata.safeParse(JSON.parse(metadata ?? '')).success;
  } catch {
    return false;
  }
}

/** Only what we wrote: a folder with anything else in it stays. */
async function removeAll(folder: string): Promise<void> {
  // What marks the folder as ours is removed last.
  for (const name of [SCRIPT_FILE, SECRET_FILE, METADATA_FILE]) await removed(path.join(folder, name));
  await rmdir(folder).catch(() => undefined);
}
