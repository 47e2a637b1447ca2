import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { scopedTarget } from '../../model/refs/scoped-locator.ts';
import { nearestNames } from '../../model/text/nearest.ts';
import type { CommandContext, CommandGroup, StepCommand } from '../../registry/define.ts';

type Input = Readonly<Record<string, unknown>>;

/** What all steps that accept it are given. */
export interface CommonInput {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly mode?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

/** A step that its command accepts. */
export interface Step {
  readonly command: StepCommand;
  readonly input: Input;
  /** Its own deadline, if its command has one. */
  readonly timeoutMs: number | undefined;
}

/** What other programs offer an agent may be a part of its task. */
const OF_OTHER_SERVERS = 'tools call';

/** Groups that concern applications. The others administer Deskterity, terminals and command-line tools. */
const GROUPS: ReadonlySet<CommandGroup> = new Set([
  'apps',
  'windows',
  'observation',
  'interaction',
  'input',
  'clipboard',
  'waiting',
]);

/** Commands that run steps themselves. */
const RUNNERS: ReadonlySet<string> = new Set(['do', 'workflow', 'undo']);

const MOST_SUGGESTED = 3;

/**
 * Checks all steps before the first runs, and gives them what they have in common.
 * @throws DeskterityError INVALID_ARGUMENT, naming the step; nothing was run
 */
export function toSteps(
  { commands }: Pick<CommandContext, 'commands'>,
  given: readonly ({ readonly command: string } & Input)[],
  common: CommonInput,
): Step[] {
  return given.map(({ command: name, ...input }, index) => {
    try {
      const command = commandOf(commands, name);
      return withCommon(commands, command, input, common);
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      throw error.with({
        message: `Step ${index + 1} (${name.slice(0, 80)}): ${error.message} No step was run.`,
        delivered: false,
      });
    }
  });
}

/** A command that can be a step. @throws DeskterityError INVALID_ARGUMENT */
export function commandOf(commands: CommandContext['commands'], name: string): StepCommand {
  const command = commands.find(name);
  if (command === undefined) {
    const possible = commands.names.filter((one) => isStep(commands.find(one)));
    // Names of two letters are contained in many words.
    const close = nearestNames(
      name,
      possible.filter((one) => one.length > 2),
      MOST_SUGGESTED,
    );
    throw new DeskterityError('INVALID_ARGUMENT', `There is no such command here.`, {
      suggestion:
        close.length === 0
          ? `Steps are made of these commands: ${possible.join(', ')}.`
          : `Did you mean ${close.join(' or ')}?`,
    });
  }
  if (isStep(command)) return command;
  throw new DeskterityError('INVALID_ARGUMENT', `${command.name} cannot be a step.`, {
    suggestion: 'Call it on its own; steps look, act and wait.',
  });
}

function isStep(command: StepCommand | undefined): boolean {
  return (
    command !== undefined &&
    ((GROUPS.has(command.group) && command.kind !== 'admin' && !RUNNERS.has(command.name)) ||
      command.name === OF_OTHER_SERVERS)
  );
}

/** A step with what all steps have in common. @throws DeskterityError INVALID_ARGUMENT */
export function withCommon(
  commands: CommandContext['commands'],
  command: StepCommand,
  own: Input,
  common: CommonInput,
): Step {
  // Its own input may need what all steps have in common, such as the application that is to be idle.
  let accepted = checkedOr(commands, command.name, own);
  let input = own;
  for (const [key, value] of Object.entries(common)) {
    if (value === undefined || own[key] !== undefined || !command.keys.includes(key)) continue;
    const more = { ...input, [key]: value };
    // Some parameters exclude each other, or mean something else beside others; then the step stays as it is.
    const checked = checkedOr(commands, command.name, more);
    if (checked === undefined) continue;
    accepted = checked;
    input = more;
  }
  const { timeout_ms: timeoutMs } = accepted ?? commands.check(command.name, own);
  return {
    command,
    input: scoped(command, input, common),
    timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : undefined,
  };
}

function checkedOr(commands: CommandContext['commands'], name: string, input: Input): Input | undefined {
  try {
    return commands.check(name, input);
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'INVALID_ARGUMENT') return undefined;
    throw error;
  }
}

/** Locators that name no application and no window search where all steps do. */
function scoped({ targetKeys }: StepCommand, input: Input, { app, window }: CommonInput): Input {
  const changed = targetKeys.flatMap((key) => {
    const target = input[key];
    return typeof target === 'string' ? [[key, scopedTarget(target, { app, window })]] : [];
  });
  return { ...input, ...Object.fromEntries(changed) };
}

/** References and locators of the elements that a step is about. */
export function targetsOf({ command, input }: Step): string[] {
  const own = command.targetKeys.map((key) => input[key]);
  const { fields } = input;
  const inFields = Array.isArray(fields)
    ? fields.map((field: unknown) => (isRecord(field) ? field['target'] : undefined))
    : [];
  return [...own, ...inFields].filter((target) => typeof target === 'string');
}
