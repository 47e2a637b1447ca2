import type { Readable } from 'node:stream';
import type { Connection } from '../daemon/connection.ts';
import type { Manifest, ManifestCommand, ManifestParameter } from '../arguments/manifest.ts';
import type { OutputStream } from '../printing/output.ts';
import type { Format } from '../arguments/globals.ts';
import type { Globals } from '../arguments/parse.ts';
import type { Input } from '../arguments/scan.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** Everything a verb can access. */
export interface VerbContext {
  /** Checked against the manifest, with defaults. */
  readonly input: Input;
  readonly globals: Globals;
  /** The form to print in. */
  readonly form: Format;
  /** `--session`, else `DESKTERITY_SESSION`, else `default`. */
  readonly session: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly manifest: Manifest;
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /**
   * Connects to the daemon, which the first call starts if necessary; with --no-daemon to this process. The verb closes it.
   * @param isForPeople answers take the form for people by default, if this is a terminal
   */
  connect(isForPeople?: boolean): Promise<Connection>;
}

/** A verb that only the command line has. */
export interface ClientVerb {
  /** Prints its answer and resolves with the exit code; the caller prints a CallFailure it throws. */
  run(context: VerbContext): Promise<number>;
}

/** Applies defaults and checks the input of a verb, which has no schema at run time. @throws UsageError */
export function checkVerbInput(command: ManifestCommand, given: Input): Input {
  const input = { ...given };
  for (const parameter of command.parameters) {
    const value = input[parameter.key];
    const offending = offendingValue(parameter, value);
    const expected = expectationFor(parameter, offending);
    if (expected !== undefined) {
      const label = parameter.flag === undefined ? `<${parameter.key}>` : `--${parameter.flag}`;
      throw new UsageError(
        command.name,
        `${label} is ${value === undefined ? 'missing' : JSON.stringify(offending)}; expected ${expected}.`,
        `Run "desk ${command.name} --help" to see its parameters.`,
      );
    }
    const usual = parameter.default ?? (parameter.type === 'boolean' ? false : undefined);
    if (value === undefined && usual !== undefined) input[parameter.key] = usual;
  }
  return input;
}

/** The first item of a list that is not an accepted choice; other values unchanged. */
function offendingValue({ values }: ManifestParameter, value: Input[string] | undefined): typeof value {
  return Array.isArray(value) && values !== undefined
    ? (value.find((item) => !values.includes(item)) ?? values[0])
    : value;
}

/** What was expected; `undefined` if the value is valid. */
function expectationFor(parameter: ManifestParameter, value: Input[string] | undefined): string | undefined {
  const { type, values, minimum, maximum, required } = parameter;
  if (value === undefined)
    return required === true ? (values === undefined ? 'text' : `one of ${values.join(', ')}`) : undefined;
  if (values !== undefined)
    return values.some((known) => known === value) ? undefined : `one of ${values.join(', ')}`;
  if (type !== 'integer' && type !== 'number') return undefined;
  const isValid =
    typeof value === 'number' &&
    (type === 'number' || Number.isSafeInteger(value)) &&
    value >= (minimum ?? -Infinity) &&
    value <= (maximum ?? Infinity);
  if (isValid) return undefined;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  return minimum === undefined || maximum === undefined ? kind : `${kind} from ${minimum} to ${maximum}`;
}
