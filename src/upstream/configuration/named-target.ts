import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { passedEnvironment } from './find-servers.ts';
import { addressProblem, type ServerTarget } from './server-target.ts';

const TIMEOUT_MS = 30_000;

/** A server that is named on the command line: an address, or a program with its arguments. @throws DeskterityError INVALID_ARGUMENT */
export function namedTarget(
  named: string,
  at: { readonly cwd: string; readonly environment: Environment },
): ServerTarget {
  if (/^https?:\/\//.test(named)) {
    const problem = addressProblem(named);
    if (problem !== undefined) throw unusable(named, problem);
    return { kind: 'http', url: named, headers: {}, timeoutMs: TIMEOUT_MS, secrets: [] };
  }
  const [command, ...args] = wordsOf(named);
  if (command === undefined) throw unusable(named, 'it is empty');
  const environment = passedEnvironment(at.environment);
  return { kind: 'stdio', command, args, cwd: at.cwd, environment, timeoutMs: TIMEOUT_MS, secrets: [] };
}

/** Words as in a shell, with quotes and backslashes, and nothing else of a shell. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && '"\\'.includes(line.charAt(index + 1))) {
        index += 1;
        word = `${word ?? ''}${line.charAt(index)}`;
      } else word = `${word ?? ''}${character}`;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && index + 1 < line.length) {
      index += 1;
      word = `${word ?? ''}${line.charAt(index)}`;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ''}${character}`;
  }
  if (quote !== '') throw unusable(line, 'a quote is not closed');
  return word === undefined ? words : [...words, word];
}

function unusable(named: string, problem: string): DeskterityError {
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `The server ${quoteClipped(named)} cannot be used: ${problem}.`,
    {
      suggestion: 'Pass a command line such as "some-server", or an address such as https://example.com/mcp.',
    },
  );
}
