import { commands } from '../src/commands/index.generated.ts';
import { changedError } from '../src/model/effects/changed-error.ts';
import { DeskterityError } from '../src/model/effects/errors.ts';
import { spellMentionsIn } from '../src/model/text/mention.ts';
import { commandLineSpeller } from '../src/registry/command-line-speller.ts';
import { createRegistry } from '../src/registry/registry.ts';

const registry = createRegistry(commands);

/** A text, or plain data with texts in it, as the command line shows it. `about`: the command of mentioned parameters that name none. */
export function spelled<T>(textOrData: T, about?: string): T {
  const command = about === undefined ? undefined : registry.get(about);
  return spellMentionsIn(textOrData, commandLineSpeller(registry, command));
}

/** A failure as the command line shows it. */
export function spelledError(error: DeskterityError): DeskterityError {
  return changedError(error, commandLineSpeller(registry));
}

/** The same promise, which fails as the command line shows it. */
export async function spelledFailure<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof DeskterityError ? spelledError(error) : error;
  }
}
