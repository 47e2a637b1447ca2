import { spellMentions, type MentionedValue, type Speller } from '../model/text/mention.ts';
import { toCommandLine } from './command-line.ts';
import { flagName, parameterFacts, parameterLabel } from './parameter-facts.ts';
import type { RegisteredCommand, Registry } from './registry.ts';

/** Spells mentions as typed into a shell. `about`: the command of parameters whose mention names none. */
export function commandLineSpeller(registry: Pick<Registry, 'get'>, about?: RegisteredCommand): Speller {
  const speller: Speller = {
    command: (name, input) => {
      const known = registry.get(name);
      const line = known === undefined ? `desk ${name}` : toCommandLine(known, { input }, registry);
      return line.includes('"') ? `\`${line}\`` : `"${line}"`;
    },
    name: (command) => command,
    parameter: (key, value, command) => {
      const owner = command === undefined ? about : registry.get(command);
      const facts = owner && parameterFacts(owner).find((parameter) => parameter.key === key);
      const label = facts === undefined ? `--${flagName(key)}` : parameterLabel(facts);
      return withValue(label, value);
    },
    key: (key) => key,
    help: (command) => `Run "desk ${command} --help" to see its parameters.`,
    onCommandLine: (words) => words,
    byPerson: (step) => spellMentions(step, speller),
  };
  return speller;
}

function withValue(label: string, value: MentionedValue | undefined): string {
  if (value === undefined || value === true) return label;
  if (value === false) return label.replace(/^--/, '--no-');
  return `${label} ${String(value)}`;
}
