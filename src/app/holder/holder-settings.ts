import { parseArguments } from '../../operations/holder/holder-arguments.ts';
import type { HolderArguments } from '../../operations/holder/holder-arguments.ts';
import { holdersFolder, problemFile, reserveFile, tokenFile } from '../../operations/holder/holder-place.ts';

/** What a holder is told by whoever starts it, and where it keeps its own files. Paths are absolute. */
export interface HolderSettings extends HolderArguments {
  readonly folder: string;
  /** What its clients must know. */
  readonly tokenFile: string;
  /** Where it says why it cannot do its work. */
  readonly problemFile: string;
  /** Room on the disk that it keeps. */
  readonly reserveFile: string;
}

/** @throws Error that says what is missing */
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
