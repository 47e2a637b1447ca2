import { requestOf, TERMINAL_CALL } from '../model/policy/request-of.ts';
import type { Reached, RuledCommand } from '../model/policy/ruled-command.ts';
import { EXPLAINING } from '../policy/rules/rules.ts';
import type { CommandDefinition, CommandGroup } from './definition.ts';
import { changesNothing } from './wrappers/apply-policy.ts';

const ON_APPLICATIONS: ReadonlySet<CommandGroup> = new Set([
  'apps',
  'windows',
  'observation',
  'interaction',
  'input',
  'clipboard',
  'waiting',
]);
/** Commands of other groups that look at the desktop. */
const LOOKING: ReadonlySet<string> = new Set(['doctor', 'permissions', 'session view', 'status']);
const ON_ELEMENTS: ReadonlySet<CommandGroup> = new Set(['interaction', 'input']);
/** Groups whose commands take a terminal instead of the desktop. */
const ON_TERMINALS: ReadonlySet<CommandGroup> = new Set([
  'terminals',
  'observation',
  'interaction',
  'input',
  'waiting',
]);
/** The only verb of the command line itself that a policy judges. */
const ATTACH = 'terminal attach';

type Defined = Pick<
  CommandDefinition,
  'name' | 'group' | 'kind' | 'isReadOnly' | 'beyondReading' | 'isUrgent' | 'runsIn' | 'input' | 'alsoRuns'
>;

/** All commands that rules may name, with what rules can be about. */
export function ruledCommands(definitions: readonly Defined[]): readonly RuledCommand[] {
  return definitions.map(ruled).filter(({ name }) => name !== TERMINAL_CALL);
}

/** What rules can be about a command. */
export function ruled(definition: Defined): RuledCommand {
  const { kind, group, beyondReading } = definition;
  const name = typeof definition.name === 'string' ? definition.name : definition.name.join(' ');
  const isReadOnly = changesNothing(definition) && beyondReading === undefined;
  const { reach = 'other', tool } = requestOf({ name, kind, group, isReadOnly });
  const unjudged = whyUnjudged(name, definition);
  return {
    name,
    isReadOnly,
    reach,
    reaches: runsSteps(definition) ? new Set() : reachedBy(name, definition, tool !== undefined),
    ...(unjudged === undefined ? {} : { unjudged }),
    ...(name === ATTACH ? { isOfPerson: true } : {}),
  };
}

function whyUnjudged(name: string, { isUrgent, runsIn }: Defined): string | undefined {
  if (isUrgent === true || EXPLAINING.has(name)) return 'is always possible';
  if (runsIn !== 'client' || name === ATTACH) return undefined;
  return name === 'batch'
    ? 'is not judged, but the commands that it runs are'
    : 'is part of the command line, which no rule judges';
}

/** Its steps are judged as commands of their own. */
function runsSteps({ input, alsoRuns }: Defined): boolean {
  return 'steps' in input.shape || alsoRuns !== undefined;
}

function reachedBy(name: string, { kind, group }: Defined, runsTool: boolean): ReadonlySet<Reached> {
  const acts = kind === 'act' || kind === 'input';
  const reached: readonly (readonly [Reached, boolean])[] = [
    ['application', ON_APPLICATIONS.has(group) || LOOKING.has(name)],
    ['element', ON_ELEMENTS.has(group) && acts],
    ['terminal', ON_TERMINALS.has(group)],
    ['tool', runsTool],
  ];
  return new Set(reached.flatMap(([one, isReached]) => (isReached ? [one] : [])));
}
