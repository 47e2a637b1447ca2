import type { ToolFacts } from '../../../app/tool-facts.ts';
import type { Answer } from '../../../app/app.ts';
import { showControls } from '../../../app/show-controls.ts';
import { changedError } from '../../../model/effects/changed-error.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isPossible, type Policy } from '../../../model/policy/verdict.ts';
import { spellMentions, spellMentionsIn, type Speller } from '../../../model/text/mention.ts';
import type { ClientCalls } from './client-calls.ts';

export interface ToolSpellerParts {
  /** Tools of this client. */
  readonly offered: readonly ToolFacts[];
  /** What it denies is not spelled as a tool. */
  readonly policy?: Pick<Policy, 'decide'> | undefined;
  /** Equivalent tools by command name; they take precedence over the offered ones. */
  readonly others?: Readonly<Record<string, string>> | undefined;
  /** For commands without a tool. */
  readonly commandLine: Speller;
}

/** Spells mentions as tool calls: `desktop_snapshot {"app":"Files"}`, `max_depth`. Commands that are not offered are for the user to run. */
export function toolSpeller({ offered, policy, others = {}, commandLine }: ToolSpellerParts): Speller {
  const known = new Map(offered.map((facts) => [facts.command, facts]));
  const toolOf = (command: string): string | undefined => {
    const facts = known.get(command);
    const isHidden = facts === undefined || (policy !== undefined && !isPossible(policy, facts.asks));
    return isHidden ? undefined : facts.tool;
  };
  return {
    command: (name, input) => {
      const dialect = others[name];
      if (dialect !== undefined) return dialect;
      const tool = toolOf(name);
      if (tool === undefined) return `${commandLine.command(name, input)} (ask the user to run it)`;
      return Object.keys(input).length === 0 ? tool : `${tool} ${JSON.stringify(input)}`;
    },
    name: (command) => others[command] ?? toolOf(command) ?? command,
    parameter: (key, value) => (value === undefined ? key : `${key}=${JSON.stringify(value)}`),
    key: (key) => key,
    help: () => 'See the input schema of the tool for its parameters.',
    onCommandLine: () => '',
    byPerson: (step) =>
      `Ask the user to ${spellMentions(step.charAt(0).toLowerCase() + step.slice(1), commandLine)}`,
  };
}

/** Spells mentions in answers and failures with this client's names. */
export function spelledCalls(calls: ClientCalls, speller: Speller): ClientCalls {
  const spelled = async (call: Promise<Answer>): Promise<Answer> => {
    const answer = await spelledFailure(call, speller);
    const { output, outline, quoted, finished } = answer;
    return {
      ...answer,
      ...spellMentionsIn({ output, quoted, finished }, speller),
      outline: showControls(spellMentions(outline, speller)),
    };
  };
  return {
    ...calls,
    answer: (...call) => spelled(calls.answer(...call)),
    look: (...call) => spelled(calls.look(...call)),
    watch: (...call) => spelledFailure(calls.watch(...call), speller),
  };
}

/** Spells mentions in the failure of a promise. */
export async function spelledFailure<T>(promise: Promise<T>, speller: Speller): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw error instanceof DeskterityError ? changedError(error, speller) : error;
  }
}
