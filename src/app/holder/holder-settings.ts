import { parseArguments, type HolderArguments } from '../../operations/holder/holder-arguments.ts';
import { holdersFolder, problemFile, reserveFile, tokenFile } from '../../operations/holder/holder-place.ts';

/** The arguments of a holder and the paths of its own files, all absolute. */
export interface HolderSettings extends HolderArguments {
  readonly folder: string;
  /** Holds the token that clients must send. */
  readonly tokenFile: string;
  /** Receives the reason if the holder cannot start. */
  readonly problemFile: string;
  /** Its reserved disk space. */
  readonly reserveFile: string;
}

/** @throws Error that names the missing argument */
export function holderSettings(commandLine: readonly string[]): HolderSettings {
  const values = parseArguments(commandLine);
  const { stateFolder, socket } = values;
  return {
    ...values,
    folder: holdersFolder(stateFolder),
    tokenFile: tokenFile(stateFolder, socket),
    problemFile: problemFile(stateFolder, socket),
    reserveFile: reserveFile(stateFolder, socket),
  };
}
