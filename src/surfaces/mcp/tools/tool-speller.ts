import type { ToolFacts } from '../../../app/tool-facts.ts';
import type { Speller } from '../../../model/text/mention.ts';

export interface ToolSpellerParts {
  /** Tools of this client. */
  readonly offered: readonly ToolFacts[];
  /** Tools that do what a command does, by its name; they come before those that are offered. */
  readonly others?: Readonly<Record<string, string>> | undefined;
  /** For what this client has no tool for. */
  readonly commandLine: Speller;
}

/** Spells what texts mention for somebody who has tools: `desktop_snapshot {"app":"Files"}`, `max_depth`. What is not offered stays a command line. */
export function toolSpeller({ offered, others = {}, commandLine }: ToolSpellerParts): Speller {
  const tools = new Map(offered.map(({ command, tool }) => [command, tool]));
  return {
    command: (name, input) => {
      const dialect = others[name];
      if (dialect !== undefined) return dialect;
      const tool = tools.get(name);
      if (tool === undefined) return commandLine.command(name, input);
      return Object.keys(input).length === 0 ? tool : `${tool} ${JSON.stringify(input)}`;
    },
    name: (command) => others[command] ?? tools.get(command) ?? command,
    parameter: (key, value) => (value === undefined ? key : `${key}=${JSON.stringify(value)}`),
    key: (key) => key,
    help: () => 'The input schema of the tool says what it takes.',
    onCommandLine: () => '',
  };
}
