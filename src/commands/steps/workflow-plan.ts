import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { IN_LOCATOR } from '../../model/workflow/locator-placement.ts';
import {
  fieldAt,
  noSuchField,
  referencesIn,
  replaced,
  type Reference,
} from '../../model/workflow/references.ts';
import { stepLabel, type WorkflowStep } from '../../model/workflow/step.ts';
import type { CommandContext, StepCommand } from '../../registry/define.ts';
import { commandOf, withCommon, type CommonInput, type Step } from './step-list.ts';

type Record_ = Readonly<Record<string, unknown>>;

/** A step of a workflow whose command exists and whose references can have a value. */
export interface PlannedStep {
  readonly index: number;
  /** `step_2`, or `step_2 (save)` for one with an id. */
  readonly label: string;
  readonly given: WorkflowStep;
  readonly command: StepCommand;
  /** With stand-ins for what the answers of earlier steps will give: for looking ahead. */
  readonly ahead: Step;
  /** It takes values from the answers of earlier steps. */
  readonly takesAnswers: boolean;
}

/** Values for references: the parameters, and the answers of the steps so far. */
export interface Values {
  readonly params: ReadonlyMap<string, unknown>;
  /** By `step_N` and by id; a text says why there is no answer. */
  readonly answers: ReadonlyMap<string, Record_ | string>;
}

/**
 * Checks all steps before the first runs.
 * @throws DeskterityError INVALID_ARGUMENT, naming the step; nothing was run
 */
export function planSteps(
  { commands }: Pick<CommandContext, 'commands'>,
  given: readonly WorkflowStep[],
  { params, common }: { readonly params: Values['params']; readonly common: CommonInput },
): PlannedStep[] {
  const planned: PlannedStep[] = [];
  const known = new Map<string, number>();
  for (const [index, step] of given.entries()) {
    try {
      planned.push(planStep(commands, step, { index, params, common, planned, all: given, known }));
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      throw error.with({
        message: `${stepLabel(index)} (${step.command.slice(0, 80)}): ${error.message} No step was run.`,
        delivered: false,
      });
    }
    known.set(stepLabel(index), index);
    if (step.id !== undefined) known.set(step.id, index);
  }
  return planned;
}

interface Planning {
  readonly index: number;
  readonly params: Values['params'];
  readonly common: CommonInput;
  readonly planned: readonly PlannedStep[];
  readonly all: readonly WorkflowStep[];
  /** Positions of the steps before, by their names. */
  readonly known: ReadonlyMap<string, number>;
}

function planStep(
  commands: CommandContext['commands'],
  given: WorkflowStep,
  { index, params, common, planned, all, known }: Planning,
): PlannedStep {
  const { id } = given;
  if (id !== undefined && known.has(id))
    throw invalid(`The id ${JSON.stringify(id)} is that of ${stepLabel(known.get(id) ?? 0)}, too.`);
  const command = commandOf(commands, given.command);
  const input = withRef(command, given.input);
  const references = referencesIn(input);
  for (const reference of references) {
    if (reference.head === 'param') paramOf(reference, params);
    else requireField(reference, { index, planned, all, known });
  }
  const entries = Object.entries(input).map(([key, value]) => {
    const tried = STAND_INS.flatMap((standIn) => withStandIn(value, standIn, params));
    return [key, tried.find((one) => command.accepts(key, one)) ?? tried[0]] as const;
  });
  return {
    index,
    label: id === undefined ? stepLabel(index) : `${stepLabel(index)} (${id})`,
    given: { ...given, input },
    command,
    ahead: withCommon(commands, command, Object.fromEntries(entries), common),
    takesAnswers: references.some(({ head }) => head !== 'param'),
  };
}

/** What an answer may give, for checking the rest of the input. */
const STAND_INS: readonly unknown[] = ['x', '@e1', 1, true, [], {}];

/** One value, or none if a text cannot contain this one. */
function withStandIn(value: unknown, standIn: unknown, params: Values['params']): unknown[] {
  try {
    return [
      replaced(value, (reference) => (reference.head === 'param' ? paramOf(reference, params) : standIn)),
    ];
  } catch (error) {
    if (error instanceof DeskterityError && typeof standIn === 'object') return [];
    throw error;
  }
}

/** Files may write `target` for the element of every command. */
function withRef({ keys }: StepCommand, input: Record_): Record_ {
  if (!Object.hasOwn(input, 'target') || keys.includes('target') || !keys.includes('ref')) return input;
  const { target, ...others } = input;
  return Object.hasOwn(others, 'ref') ? input : { ref: target, ...others };
}

/** @throws DeskterityError INVALID_ARGUMENT unless an earlier step may have such a field in its answer */
function requireField(
  reference: Reference,
  { index, planned, all, known }: Omit<Planning, 'params' | 'common'>,
): void {
  const { text, head, path } = reference;
  const at = known.get(head);
  const source = at === undefined ? undefined : planned[at];
  if (source !== undefined) {
    if (path.length === 0) throw invalid(`${text} names no field of the answer.`, `Write {{${head}.FIELD}}.`);
    const missing = source.command.missingField(path);
    if (missing === undefined) return;
    const place = ['the answer of', source.label, `(${source.command.name})`, ...inPlace(missing.place)];
    throw noSuchField(text, place.join(' '), missing.fields);
  }
  const later = all.findIndex((step, position) => step.id === head || stepLabel(position) === head);
  if (later !== -1)
    throw invalid(
      `${text} refers to ${later === index ? 'the step itself' : `${stepLabel(later)}, which runs later`}.`,
      'Steps can use only the answers of steps before them, which are counted from 0.',
    );
  const names = [...known.keys(), 'param'];
  throw invalid(`${text} refers to no step: there are ${names.slice(0, 20).join(', ')}.`);
}

function inPlace(place: readonly string[]): readonly string[] {
  return place.length === 0 ? [] : [`at ${place.join('.')}`];
}

function paramOf(reference: Reference, params: Values['params']): unknown {
  const [name, ...inside] = reference.path;
  if (name !== undefined && params.has(name))
    return fieldAt(params.get(name), { ...reference, path: inside }, `param.${name}`);
  const names = [...params.keys()];
  throw invalid(
    `${reference.text} has no value: ${names.length === 0 ? 'no parameters were given' : `the parameters are ${names.slice(0, 20).join(', ')}`}.`,
    'Give it as a parameter of the workflow.',
  );
}

/** The input of a step with the values of its references, as it runs. @throws DeskterityError INVALID_ARGUMENT */
export function stepNow(
  { commands }: Pick<CommandContext, 'commands'>,
  { given, command }: PlannedStep,
  { params, answers }: Values,
  common: CommonInput,
): Step {
  const valueOf = (reference: Reference): unknown => {
    if (reference.head === 'param') return paramOf(reference, params);
    const answer = answers.get(reference.head);
    if (answer === undefined || typeof answer === 'string')
      throw invalid(`${reference.text} has no value: ${answer ?? `${reference.head} did not run`}.`);
    return fieldAt(answer, reference, `the answer of ${reference.head}`);
  };
  const input = Object.entries(given.input).map(([key, value]) => [
    key,
    command.targetKeys.includes(key)
      ? replaced(value, valueOf, IN_LOCATOR)
      : asTextIfNeeded(command, key, withFields(value, valueOf)),
  ]);
  return withCommon(commands, command, Object.fromEntries(input), common);
}

/** A number or boolean of an answer, as text where the parameter is a text. */
function asTextIfNeeded(command: StepCommand, key: string, value: unknown): unknown {
  if ((typeof value !== 'number' && typeof value !== 'boolean') || command.accepts(key, value)) return value;
  const text = String(value);
  return command.accepts(key, text) ? text : value;
}

/** A value, or a list of fields, each of which has a locator of its own. */
function withFields(value: unknown, valueOf: (reference: Reference) => unknown): unknown {
  if (!Array.isArray(value)) return replaced(value, valueOf);
  return value.map((item: unknown) => {
    if (!isRecord(item) || !Object.hasOwn(item, 'target')) return replaced(item, valueOf);
    const { target, ...others } = item;
    return {
      target: replaced(target, valueOf, IN_LOCATOR),
      ...Object.fromEntries(Object.entries(others).map(([key, one]) => [key, replaced(one, valueOf)])),
    };
  });
}

function invalid(message: string, suggestion = 'Correct the workflow.'): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion, delivered: false });
}
