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
  const rests = restsAfter(given, [...byName.keys()]);
  if (rests.length > 0) throw incomplete(given, words[1], rests);
  const close = nearest(given, [...byName.keys()]);
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

/** The intended name, if a command without arguments is followed by a near match of a longer name's rest. */
function longerName(
  name: string,
  next: string | undefined,
  { positionals = [] }: ManifestCommand,
  names: readonly string[],
): string | undefined {
  if (next === undefined || next.startsWith('-') || positionals.length > 0) return undefined;
  const rest = nearest(next, restsAfter(name, names));
  return rest === undefined ? undefined : `${name} ${rest}`;
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
