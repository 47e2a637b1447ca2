import { nearest } from '../../../model/text/nearest.ts';
import type { Manifest, ManifestCommand } from './manifest.ts';
import { UsageError } from './usage-error.ts';

/** The command with the longest name that `words` start with, and the number of words in that name. */
export function findCommand(
  manifest: Manifest,
  words: readonly string[],
): { command: ManifestCommand; length: number } {
  const byName = new Map(
    manifest.commands.flatMap((command) =>
      [command.name, ...(command.aliases ?? [])].map((name) => [name, command]),
    ),
  );
  const longest = Math.max(...[...byName.keys()].map((name) => name.split(' ').length));
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    const command = byName.get(words.slice(0, length).join(' '));
    if (command === undefined) continue;
    const missed = longerName(words.slice(0, length).join(' '), words[length], command, [...byName.keys()]);
    if (missed === undefined) return { command, length };
    throw new UsageError(
      command.name,
      `Unknown command ${JSON.stringify(`${command.name} ${words[length] ?? ''}`.slice(0, 80))}.`,
      `Did you mean "desk ${missed}"?`,
    );
  }
  const given = words[0] ?? '';
  const names = [...byName.keys()];
  const rests = restsAfter(given, names);
  if (rests.length > 0) throw incomplete(given, words[1], rests);
  const bare = words.slice(1).findIndex((word) => word.startsWith('-'));
  const spelled = bare === -1 ? words : words.slice(0, bare + 1);
  const two = nearestOfWords(spelled, names);
  if (two !== undefined) {
    const whole = spelled.slice(0, 2).join(' ').slice(0, 80);
    throw new UsageError(whole, `Unknown command ${JSON.stringify(whole)}.`, `Did you mean "desk ${two}"?`);
  }
  const close = nearest(given, names);
  throw new UsageError(
    given.slice(0, 80),
    `Unknown command ${JSON.stringify(given.slice(0, 80))}.`,
    close === undefined ? 'Run "desk --help" to see all commands.' : `Did you mean "desk ${close}"?`,
  );
}

/** The first word, if it is not a command but starts the names of several and no second word selects one. */
export function familyOf(manifest: Manifest, words: readonly string[]): string | undefined {
  const [family = '', next] = words;
  if (next !== undefined && !next.startsWith('-')) return undefined;
  const names = manifest.commands.map(({ name }) => name);
  return names.includes(family) || restsAfter(family, names).length === 0 ? undefined : family;
}

/** The intended name, if the next word completes one, or a command without arguments is followed by a near match of a longer name's rest. */
function longerName(
  name: string,
  next: string | undefined,
  { positionals = [] }: ManifestCommand,
  names: readonly string[],
): string | undefined {
  if (next === undefined || next.startsWith('-')) return undefined;
  // As in `focus window`; no element is called that.
  const hyphenated = `${name}-${next}`;
  if (names.includes(hyphenated)) return hyphenated;
  if (positionals.length > 0) return undefined;
  const rest = nearest(next, restsAfter(name, names));
  return rest === undefined ? nearestOfWords([name, next], names) : `${name} ${rest}`;
}

/** The name of two words that the first two of `words` are close to, in either order: `list windws`, `window focus`. */
function nearestOfWords(words: readonly string[], names: readonly string[]): string | undefined {
  const [first, second] = words;
  if (first === undefined || second === undefined) return undefined;
  const joined = new Map(names.map((name) => [name.replaceAll('-', ' '), name]));
  const candidates = [...joined.keys()].filter((name) => name.split(' ').length === 2);
  // Each word must be close to its own: together, the length of one would excuse the other.
  const isClose = (name: string, given: readonly string[]): boolean =>
    name.split(' ').every((word, index) => nearest(given[index] ?? '', [word]) !== undefined);
  for (const given of [
    [first, second],
    [second, first],
  ]) {
    const close = nearest(
      given.join(' '),
      candidates.filter((name) => isClose(name, given)),
    );
    if (close !== undefined) return joined.get(close);
  }
  return undefined;
}

function restsAfter(name: string, names: readonly string[]): string[] {
  const start = `${name} `;
  return names.filter((longer) => longer.startsWith(start)).map((longer) => longer.slice(start.length));
}

/** For a name that needs a second word, such as `desk tools`. */
function incomplete(name: string, next: string | undefined, rests: readonly string[]): UsageError {
  const close = next === undefined || next.startsWith('-') ? undefined : nearest(next, rests);
  const whole = next === undefined || next.startsWith('-') ? name : `${name} ${next}`;
  return new UsageError(
    name,
    `Unknown command ${JSON.stringify(whole.slice(0, 80))}; there are ${rests.map((rest) => `${name} ${rest}`).join(', ')}.`,
    close === undefined
      ? `Run "desk ${name} --help" to see the commands.`
      : `Did you mean "desk ${name} ${close}"?`,
  );
}
