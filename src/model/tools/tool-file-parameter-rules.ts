import { issue, type ToolFileIssue } from './tool-file-issue.ts';
import { flagOf, inputKey, META_PARAMETERS } from './tool-file-parameters.ts';
import type { ToolOption, ToolPositional } from './tool-file-parameters.ts';

/** A parameter that comes from a level above. */
export interface InheritedParameter {
  readonly name: string;
  /** The tool or subcommand it belongs to. */
  readonly owner: string;
}

interface Level {
  readonly options?: readonly ToolOption[] | undefined;
  readonly positional_args?: readonly ToolPositional[] | undefined;
}

type Path = readonly (string | number)[];

/** Broken rules of the options and arguments of one level. */
export function* parameterIssues(
  { options = [], positional_args: positionals = [] }: Level,
  path: Path,
  inherited: readonly InheritedParameter[],
): Generator<ToolFileIssue> {
  const keys = new Map(inherited.map(({ name, owner }) => [inputKey(name), `an option of ${owner}`]));
  const flags = new Map<string, string>();
  for (const [index, option] of options.entries()) {
    const place = [...path, 'options', index];
    yield* nameIssues(option.name, place, keys);
    keys.set(inputKey(option.name), `the option "${option.name}"`);
    const flag = flagOf(option);
    const taken = flags.get(flag);
    if (taken !== undefined)
      yield issue(
        [...place, option.flag === undefined ? 'name' : 'flag'],
        `${flag} is already the flag of the option "${taken}"`,
        'Remove one of the two.',
      );
    flags.set(flag, option.name);
    yield* option.type === 'boolean' ? switchIssues(option, place) : valueIssues(option, place);
  }
  let optional: string | undefined;
  for (const [index, positional] of positionals.entries()) {
    const place = [...path, 'positional_args', index];
    yield* nameIssues(positional.name, place, keys);
    keys.set(inputKey(positional.name), `the argument "${positional.name}"`);
    yield* valueIssues(positional, place);
    // Arguments before "--" cannot be confused with those after it.
    if (positional.after_double_dash === true) optional = undefined;
    const isRequired = positional.required === true;
    if (isRequired && optional !== undefined)
      yield issue(
        [...place, 'required'],
        `"${positional.name}" is required, but follows "${optional}", which is optional`,
        'Put required arguments first.',
      );
    if (!isRequired) optional ??= positional.name;
    if (positional.type === 'array' && index < positionals.length - 1)
      yield issue(
        [...place, 'type'],
        `"${positional.name}" takes any number of arguments, so nothing can follow it`,
        'Put the list last.',
      );
  }
}

function* nameIssues(
  name: string,
  place: Path,
  taken: ReadonlyMap<string, string>,
): Generator<ToolFileIssue> {
  const key = inputKey(name);
  if (META_PARAMETERS.some((meta) => meta === key))
    yield issue(
      [...place, 'name'],
      `"${name}" is reserved for how a tool is run`,
      `Choose another name, and write the flag as "flag": "--${name}".`,
    );
  const owner = taken.get(key);
  if (owner !== undefined)
    yield issue(
      [...place, 'name'],
      `callers would write "${key}", which is already ${owner}`,
      'Choose another name; "flag" sets how the option is written.',
    );
}

function* switchIssues(option: ToolOption, place: Path): Generator<ToolFileIssue> {
  for (const key of ['required', 'enum', 'format', 'separator', 'allow_leading_dash'] as const)
    if (option[key] !== undefined && option[key] !== false)
      yield issue(
        [...place, key],
        `"${key}" has no effect on a boolean, which is a switch without a value`,
        'Remove it, or choose another type.',
      );
  if (option.default !== undefined && typeof option.default !== 'boolean')
    yield wrongDefault(place, 'true or false');
}

function* valueIssues(parameter: ToolOption | ToolPositional, place: Path): Generator<ToolFileIssue> {
  const { type, required, default: usual, enum: values } = parameter;
  const isText = type === 'string' || type === 'array';
  for (const key of ['enum', 'format'] as const)
    if (!isText && parameter[key] !== undefined)
      yield issue(
        [...place, key],
        `"${key}" is for texts, but "${parameter.name}" is of type ${type}`,
        'Remove it, or choose another type.',
      );
  if (usual === undefined) return;
  if (required === true)
    yield issue(
      [...place, 'default'],
      `"${parameter.name}" is required, so its default would never be used`,
      'Remove one of the two.',
    );
  if (!isOfType(usual, type)) yield wrongDefault(place, TYPE_PHRASES[type]);
  const strange = [usual].flat().find((item) => typeof item === 'string' && values?.includes(item) === false);
  if (strange !== undefined) yield wrongDefault(place, `one of ${values?.join(', ')}`);
}

const TYPE_PHRASES: Readonly<Record<ToolOption['type'], string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list of texts',
};

function isOfType(value: NonNullable<ToolOption['default']>, type: ToolOption['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === type;
}

function wrongDefault(place: Path, expected: string): ToolFileIssue {
  return {
    path: [...place, 'default'],
    message: `the default must be ${expected}`,
    suggestion: 'Correct it, or remove it.',
  };
}
