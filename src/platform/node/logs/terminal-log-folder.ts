import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { LogFolderChoice } from '../../../ports/log.ts';
import { existingFolderProblem, socketFolderProblem } from '../../paths.ts';
import { prepareLogFolder, prepareNamedLogFolder } from './log-folder.ts';

/**
 * The first folder that a log can be written to, created if missing.
 * @throws Error with the problem of each folder, as a sentence
 */
export async function firstLogFolder(choices: readonly LogFolderChoice[]): Promise<LogFolderChoice> {
  const problems: string[] = [];
  for (const choice of choices) {
    const { path, isNamed, isTemporary } = choice;
    try {
      const problem = isTemporary ? socketFolderProblem(path) : undefined;
      if (problem !== undefined) throw new Error(`the folder of ${path} ${problem}`);
      await (isNamed ? prepareNamedLogFolder(path) : prepareLogFolder(path));
      await access(path, constants.W_OK | constants.X_OK);
      const after = isTemporary ? existingFolderProblem(path) : undefined;
      if (after !== undefined) throw new Error(`${path} ${after}`);
      return choice;
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`${problems.join('; ')}.`);
}
