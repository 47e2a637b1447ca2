import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../model/error-code.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { makeRecordFolder, newRecordId } from '../../operations/record-folders.ts';

/** Prefix of the ids. */
export const TERMINAL = 'term';

/** The folder with one folder per terminal. */
export function terminalsFolder(stateFolder: string): string {
  return join(stateFolder, 'terminals');
}

export function terminalFolder(stateFolder: string, id: string): string {
  return join(terminalsFolder(stateFolder), id);
}

export function terminalRecordFile(folder: string): string {
  return join(folder, 'terminal.json');
}

/** Creates the folder of a new terminal with an id such as `term-k3x7qa`. @throws DeskterityError ACTION_FAILED */
export function makeTerminalFolder(stateFolder: string): ReturnType<typeof makeRecordFolder> {
  const parent = terminalsFolder(stateFolder);
  try {
    mkdirSync(parent, { mode: 0o700, recursive: true });
    return makeRecordFolder(parent, () => newRecordId(TERMINAL));
  } catch (error) {
    throw new DeskterityError('ACTION_FAILED', `No terminal can be recorded in ${stateFolder}.`, {
      suggestion: 'Free some space there or set XDG_STATE_HOME to a writable folder.',
      platformDetail: String(errorCode(error)),
      delivered: false,
      cause: error,
    });
  }
}
