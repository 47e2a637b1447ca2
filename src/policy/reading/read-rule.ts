import { z } from 'zod';
import type { Reached, RuledCommand } from '../../model/policy/ruled-command.ts';
import { DECISIONS } from '../../model/policy/verdict.ts';
import { nearest } from '../../model/text/nearest.ts';
import { isRole } from '../../model/tree/role.ts';
import { elementOfLocator } from '../rules/locator-rule.ts';
import { plainId } from '../rules/match-rule.ts';
import { matches, plain } from '../rules/pattern.ts';
import { Patterns } from '../rules/patterns.ts';
import type { FollowedPaths } from './followed-paths.ts';
import { AbsolutePath, Pattern, programsIn } from './read-lists.ts';
import type { ApplicationMatch, ElementMatch, Rule } from '../rules/rule.ts';
import { expressionOf, Mistake } from './mistake.ts';
import { requireApplicable, type RuleAbout } from './never-applies.ts';

/** More would not be read by anybody. */
export const MOST_RULES = 500;

const Text = z.string().trim().min(1).max(400);
const Words = z.union([Pattern, z.array(Pattern).min(1).max(100)]);
const Folders = z.union([AbsolutePath, z.array(AbsolutePath).min(1).max(100)]);

const ApplicationTable = z.strictObject({
  name: Text.optional(),
  desktop_file: Text.optional(),
  executable: AbsolutePath.optional(),
  regex: Text.optional(),
});

export const RuleTable = z.strictObject({
  decision: z.enum(DECISIONS),
  reason: Text.optional(),
  application: z.union([Text, ApplicationTable]).optional(),
  command: Words.optional(),
  role: Text.optional(),
  element: Text.optional(),
  locator: z.string().min(1).max(1000).optional(),
  terminal: Folders.optional(),
  tool: Words.optional(),
});
type RuleTable = z.output<typeof RuleTable>;

export interface RuleFacts {
  readonly source: string;
  /** From 1. */
  readonly number: number;
  readonly isOfProject: boolean;
  readonly commands: readonly RuledCommand[];
  readonly paths: FollowedPaths;
}

/** @throws Mistake: a rule that is ignored would allow what it was written to forbid */
export function ruleOf(given: RuleTable, facts: RuleFacts): Rule {
  const { source, number } = facts;
  const name = `rule ${number}`;
  try {
    requireSensible(given);
    const { decision, reason, tool, terminal } = given;
    const located = given.locator === undefined ? undefined : elementOfLocator(given.locator);
    const application = applicationOf(given, located?.application, facts.paths);
    const element = elementOf(given, located?.element);
    const reached = reachedBy({ application, element, terminal, tool });
    return {
      decision,
      name,
      source,
      shown: [inWords(given)],
      ...(reason === undefined ? {} : { reason }),
      ...(application === undefined ? {} : { application }),
      ...(given.command === undefined
        ? {}
        : { commands: commandsOf(listed(given.command), facts, { decision, reached }) }),
      ...(element === undefined ? {} : { element }),
      ...(terminal === undefined
        ? {}
        : { terminals: listed(terminal).flatMap((folder) => facts.paths.namesOf(folder)) }),
      ...(tool === undefined ? {} : { tools: new Patterns(listed(tool)) }),
    };
  } catch (error) {
    if (error instanceof Mistake) throw new Mistake(`${name}: ${error.message}`, error.fix);
    throw error;
  }
}

const CONDITIONS = ['application', 'command', 'role', 'element', 'locator', 'terminal', 'tool'] as const;
const OF_ELEMENTS: ReadonlySet<string> = new Set(['role', 'element', 'locator']);

function requireSensible(given: RuleTable): void {
  const used = CONDITIONS.filter((key) => given[key] !== undefined);
  const [first] = used;
  if (first === undefined)
    throw new Mistake('it does not say what it is about', `Add one of ${CONDITIONS.join(', ')}`);
  if (given.decision === 'allow') {
    if (used.length > 1)
      throw new Mistake(
        `a rule that allows has one condition, not ${used.join(' and ')}`,
        'Write one rule for each',
      );
    if (OF_ELEMENTS.has(first))
      throw new Mistake(
        `a rule that allows cannot be about ${first}`,
        'Deny the others, or let them be confirmed',
      );
  }
  const isOnDesktop = used.some((key) => key === 'application' || OF_ELEMENTS.has(key));
  const apart = used.filter((key) => key === 'terminal' || key === 'tool');
  // No request is about both, so that such a rule would never apply.
  if (apart.length > 1 || (apart.length > 0 && isOnDesktop))
    throw new Mistake(
      `${used.filter((key) => key !== 'command').join(' and ')} cannot be used together`,
      'Write one rule for each',
    );
}

/** What a request must reach besides its command, as far as a rule is about that in the end. */
function reachedBy({
  application,
  element,
  terminal,
  tool,
}: Readonly<Record<Reached, unknown>>): Reached | undefined {
  if (element !== undefined) return 'element';
  if (application !== undefined) return 'application';
  if (terminal !== undefined) return 'terminal';
  return tool === undefined ? undefined : 'tool';
}

function applicationOf(
  { application: given, decision }: RuleTable,
  located: string | undefined,
  paths: FollowedPaths,
): ApplicationMatch | undefined {
  if (given === undefined) return located === undefined ? undefined : { any: new Patterns([located]) };
  if (located !== undefined)
    throw new Mistake('it names the application twice', 'Remove app: from the locator');
  const isAllowing = decision === 'allow';
  if (typeof given === 'string') return { any: programsIn([given], paths, isAllowing) };
  const { name, desktop_file: desktopFile, executable, regex } = given;
  if (Object.values(given).every((value) => value === undefined))
    throw new Mistake('application is empty', 'Add name, desktop_file, executable or regex');
  const isProven = executable !== undefined || desktopFile !== undefined || regex !== undefined;
  if (isAllowing && !isProven)
    throw new Mistake(
      'a name alone cannot allow an application, because an application can call itself anything',
      'Add its executable or its desktop_file',
    );
  const expression = regex === undefined ? undefined : expressionOf(regex, isAllowing);
  const files = isAllowing ? paths.namesOf(executable ?? '') : paths.namesToForbid(executable ?? '');
  return {
    name: name === undefined ? undefined : plain(name),
    desktopFile: desktopFile === undefined ? undefined : plainId(desktopFile),
    executable: executable === undefined ? undefined : files,
    expression,
  };
}

function elementOf(
  { role, element }: RuleTable,
  located: ElementMatch | undefined,
): ElementMatch | undefined {
  if (role !== undefined && !isRole(role))
    throw new Mistake(
      `there is no role ${JSON.stringify(role)}`,
      'Use a role that a snapshot shows, such as "button"',
    );
  if (role === undefined && element === undefined) return located;
  if (role !== undefined && located?.role !== undefined)
    throw new Mistake('it names the role twice', 'Remove role, or the role from the locator');
  const wanted = element === undefined ? undefined : plain(element);
  return {
    role: role ?? located?.role,
    window: located?.window,
    texts: [
      ...(located?.texts ?? []),
      ...(wanted === undefined
        ? []
        : [{ of: 'name', matches: (text: string) => matches(wanted, text) } as const]),
    ],
  };
}

/** @throws Mistake for a name that no command has, or for which the rule never applies: such a rule would protect nothing */
export function commandsOf(
  words: readonly string[],
  facts: Pick<RuleFacts, 'commands'>,
  about: RuleAbout,
): Patterns {
  for (const word of words) requireApplicable(word, commandsLike(word, facts), about);
  return new Patterns(words);
}

/** The commands that a word names. @throws Mistake if there are none */
export function commandsLike(
  word: string,
  { commands }: Pick<RuleFacts, 'commands'>,
): readonly RuledCommand[] {
  const pattern = plain(word);
  const found = commands.filter(({ name }) => matches(pattern, name));
  if (found.length > 0) return found;
  // Names of tools are not known here.
  if (pattern.startsWith('run-tool '))
    return [{ name: word, isReadOnly: false, reach: 'tools', reaches: new Set(['tool']) }];
  const close = nearest(
    word,
    commands.map(({ name }) => name),
  );
  throw new Mistake(
    `there is no command ${JSON.stringify(word)}`,
    close === undefined ? 'Use the name of a command' : `Write ${JSON.stringify(close)}, if that is meant`,
  );
}

function listed<T>(words: T | readonly T[]): readonly T[] {
  return isList(words) ? words : [words];
}

function isList<T>(words: T | readonly T[]): words is readonly T[] {
  return Array.isArray(words);
}

function inWords({ decision, ...given }: RuleTable): string {
  const conditions = CONDITIONS.flatMap((key) =>
    given[key] === undefined ? [] : [`${key} = ${JSON.stringify(given[key])}`],
  );
  return `${decision}: ${conditions.join(', ')}`;
}
