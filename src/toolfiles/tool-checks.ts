import { mentionCommand } from '../model/text/mention.ts';
import { TrialFailure, type Trial } from '../model/effects/trial.ts';
import { quote } from '../model/text/untrusted-text.ts';
import type { ToolFileFacts, ToolsPort } from '../ports/tools.ts';

const MOST_NAMED = 5;

/** Reads the tool files of a caller. @throws TrialFailure if any cannot be used */
export async function tryTools(tools: () => Promise<ToolsPort>, trial: Trial): Promise<string> {
  trial.step('read the tool files');
  const { files, problems } = await (await tools()).list();
  const own = files.filter(({ origin }) => origin !== 'ready');
  const invalid = own.filter(({ state }) => state === 'invalid');
  if (invalid.length > 0 || problems.length > 0)
    throw new TrialFailure(
      'broken',
      [...invalid.map(firstProblem), ...problems].slice(0, MOST_NAMED).join(' '),
      `Run ${mentionCommand('tools validate')} with the file to see all problems.`,
    );
  const untrusted = own.filter(({ state }) => state === 'untrusted');
  if (untrusted.length > 0) {
    const isOne = untrusted.length === 1;
    throw new TrialFailure(
      'refused',
      `${named(untrusted.map(({ path }) => quote(path)))} ${isOne ? 'is' : 'are'} not trusted${untrusted.some(({ hasChanged }) => hasChanged) ? ' with its present content' : ''}, so ${isOne ? 'its' : 'their'} tools do not run.`,
      `Read each file, then run ${mentionCommand('tools trust', { files: ['FILE'] })}.`,
    );
  }
  const ready = files.flatMap((file) => file.tools).filter(({ state }) => state === 'ready');
  const missing = files.filter((file) => file.state === 'unavailable').map(({ name }) => name);
  const missingText = missing.length === 0 ? '' : ` Not installed: ${named(missing)}.`;
  return `${count(files.length, 'tool file')} with ${count(ready.length, 'available tool')}.${missingText}`;
}

function firstProblem({ path, problems: [first] }: ToolFileFacts): string {
  return `${quote(path)}: ${first === undefined ? 'the file is not valid' : `line ${first.line}, ${first.message}`}`;
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}
