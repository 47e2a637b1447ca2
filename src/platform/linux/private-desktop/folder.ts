import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorCode } from '../../../model/error-code.ts';
import { fileProblem } from '../../../model/effects/file-problem.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { OwnerRecord } from './owner.ts';

/** Folder names of private desktops; the sweep removes nothing else. */
export const FOLDER_NAME = /^deskterity-desktop-([0-9a-f]{10})$/;

/**
 * A Unix socket's path has at most 107 bytes. The longest path we must leave room for is a profile socket such as
 * `/deskterity-desktop-0123456789/tmp/org.chromium.Chromium.abcdef/SingletonSocket` (80).
 */
const LONGEST_BASE = 26;

/** The folders and files of one private desktop. All are removed with the desktop. */
export interface DesktopFolder {
  readonly root: string;
  readonly home: string;
  readonly runtime: string;
  readonly temporary: string;
  readonly logs: string;
  readonly authorityFile: string;
  readonly ownerFile: string;
}

/** Folders that may contain desktops of this user; new ones go to the first. */
export function baseFolders(temporary: string = tmpdir()): string[] {
  const fits = Buffer.byteLength(temporary) <= LONGEST_BASE && path.isAbsolute(temporary);
  return fits ? [...new Set([temporary, '/tmp'])] : ['/tmp'];
}

export function desktopFolder(id: string, home?: string): DesktopFolder {
  const root = path.join(baseFolders()[0] ?? '/tmp', `deskterity-desktop-${id}`);
  return {
    root,
    home: home ?? path.join(root, 'home'),
    runtime: path.join(root, 'run'),
    temporary: path.join(root, 'tmp'),
    logs: path.join(root, 'logs'),
    authorityFile: path.join(root, 'authority'),
    ownerFile: path.join(root, 'owner'),
  };
}

/** @throws DeskterityError DISPLAY_UNAVAILABLE if the folders cannot be created */
export function createFolder(folder: DesktopFolder, owner: OwnerRecord): void {
  try {
    mkdirSync(folder.root, { mode: 0o700 });
    writeFileSync(folder.ownerFile, JSON.stringify(owner), { mode: 0o600 });
    for (const made of [folder.runtime, folder.temporary, folder.logs]) mkdirSync(made, { mode: 0o700 });
  } catch (error) {
    throw unusableFolder(folder.root, error);
  }
  try {
    mkdirSync(folder.home, { recursive: true, mode: 0o700 });
    if (!statSync(folder.home).isDirectory()) throw new Error(`${folder.home} is not a folder`);
  } catch (error) {
    throw unusableFolder(folder.home, error);
  }
}

/** The folder of a private desktop, or its HOME, cannot be written. */
export function unusableFolder(folder: string, error: unknown): DeskterityError {
  const why = fileProblem(errorCode(error));
  return new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `The private desktop's folder ${folder} cannot be used${why === undefined ? '' : `: ${why}`}.`,
    {
      suggestion: 'Check that it can be created and written and that its disk has free space.',
      platformDetail: error instanceof Error ? error.message : String(error),
      cause: error,
    },
  );
}
