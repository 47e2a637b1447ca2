import type { ManifestCommand, ManifestParameter } from './manifest.ts';
import type { Input } from './scan.ts';
import { UsageError } from './usage-error.ts';

/** The input of a verb that no command will check: with defaults, and refused where a value is missing or out of bounds. @throws UsageError */
export function checkVerbInput(command: ManifestCommand, given: Input): Input {
  const input = { ...given };
  for (const parameter of command.parameters) {
    const value = input[parameter.key];
    const strange = strangeIn(parameter, value);
    const problem = problemWith(parameter, strange);
    if (problem !== undefined) {
      const label = parameter.flag === undefined ? `<${parameter.key}>` : `--${parameter.flag}`;
      throw new UsageError(
        command.name,
        `${label} is ${value === undefined ? 'missing' : JSON.stringify(strange)}; expected ${problem}.`,
        `Run "desk ${command.name} --help" to see what it takes.`,
      );
    }
    if (value === undefined && parameter.default !== undefined) input[parameter.key] = parameter.default;
  }
  return input;
}

/** The item of a list that is none of those it may have; any other value as it is. */
function strangeIn({ values }: ManifestParameter, value: Input[string] | undefined): typeof value {
  return Array.isArray(value) && values !== undefined
    ? (value.find((item) => !values.includes(item)) ?? values[0])
    : value;
}

/** What was expected; `undefined` when the value is all right. */
function problemWith(parameter: ManifestParameter, value: Input[string] | undefined): string | undefined {
  const { type, values, minimum, maximum, required } = parameter;
  if (value === undefined) return required === true ? (values?.join(', ') ?? 'a text') : undefined;
  if (values !== undefined)
    return values.some((known) => known === value) ? undefined : `one of ${values.join(', ')}`;
  if (type !== 'integer' && type !== 'number') return undefined;
  const isFine =
    typeof value === 'number' &&
    (type === 'number' || Number.isSafeInteger(value)) &&
    value >= (minimum ?? -Infinity) &&
    value <= (maximum ?? Infinity);
  if (isFine) return undefined;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  return minimum === undefined || maximum === undefined ? kind : `${kind} from ${minimum} to ${maximum}`;
}
