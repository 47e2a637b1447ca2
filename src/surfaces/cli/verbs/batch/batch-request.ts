import { parseGivenJson, TOO_DEEP } from '../../../../model/given-json.ts';
import { isRecord } from '../../../../model/is-record.ts';
import { nearest } from '../../../../model/text/nearest.ts';
import { findCommand } from '../../arguments/find-command.ts';
import type { Manifest, ManifestCommand } from '../../arguments/manifest.ts';
import { parseLine, type Globals } from '../../arguments/parse.ts';
import type { Input } from '../../arguments/scan.ts';
import { UsageError } from '../../arguments/usage-error.ts';

/** The id that the client gave a line. */
export type LineId = string | number;

/** The request on one line of a batch. */
export interface BatchRequest {
  readonly command: ManifestCommand;
  readonly input: Input;
  readonly session: string | undefined;
}

const KEYS = ['command', 'input', 'args', 'session', 'id'];
const FORM = 'Write {"command":"click","input":{"ref":"@e2"}} or {"args":["click","@e2"]}.';

/** Parses the JSON object on a line. @throws UsageError */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  if (!isRecord(value)) throw lineError('The line is not a JSON object.');
  return value;
}

/** `undefined` if there is none. @throws UsageError if an answer could not repeat it exactly: JSON has no number as large as 1e400 */
export function idOf(line: Readonly<Record<string, unknown>>): LineId | undefined {
  const id = Object.hasOwn(line, 'id') ? line['id'] : undefined;
  if (typeof id === 'number' && !isExact(id))
    throw lineError(
      '"id" is a number that an answer cannot repeat exactly.',
      'Use a string or a smaller number.',
    );
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Whether a number is still the one that was written. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Parses the request on a line. @throws UsageError */
export function toRequest(line: Readonly<Record<string, unknown>>, manifest: Manifest): BatchRequest {
  for (const key of Object.keys(line)) {
    if (KEYS.includes(key)) continue;
    const close = nearest(key, KEYS);
    const known = `A line has the keys ${KEYS.join(', ')}.`;
    throw lineError(
      `The line has an unknown key ${JSON.stringify(key.slice(0, 80))}.`,
      close === undefined ? known : `Did you mean ${JSON.stringify(close)}?`,
    );
  }
  if (line['id'] !== undefined && idOf(line) === undefined)
    throw lineError('"id" is not a string or number.', 'Leave it out, or write "id":"1".');
  const { session } = line;
  if (session !== undefined && typeof session !== 'string')
    throw lineError('"session" is not a string.', 'Write "session":"NAME", or leave it out.');
  if ((line['command'] === undefined) === (line['args'] === undefined))
    throw lineError('The line needs either "command" or "args".');
  const request =
    line['args'] === undefined ? fromCommand(line, manifest) : fromArguments(line, manifest, session);
  const { command } = request;
  if (command.runsIn === 'client') {
    throw new UsageError(
      command.name,
      `"${command.name}" cannot be used in a batch.`,
      `Run "desk ${command.name}" on its own.`,
    );
  }
  return { ...request, session: request.session ?? session };
}

function fromCommand(line: Readonly<Record<string, unknown>>, manifest: Manifest): BatchRequest {
  const { command: name, input = {} } = line;
  if (typeof name !== 'string') throw lineError('"command" is not a string.');
  const words = name.split(' ');
  const { command, length } = findCommand(manifest, words);
  if (length !== words.length) {
    throw new UsageError(
      name.slice(0, 80),
      `Unknown command ${JSON.stringify(name.slice(0, 80))}.`,
      `Did you mean "${command.name}"? Put its arguments into "input", or the whole command line into "args".`,
    );
  }
  if (!isRecord(input))
    throw new UsageError(command.name, '"input" is not a JSON object.', 'Write "input":{"ref":"@e2"}.');
  return { command, input: toInput(command, input), session: undefined };
}

function toInput(command: ManifestCommand, given: Readonly<Record<string, unknown>>): Input {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      if (isInputValue(value)) return [key, value];
      throw new UsageError(
        command.name,
        `${JSON.stringify(key.slice(0, 80))} is not a string, number, boolean or list of strings.`,
        `Run "desk ${command.name} --help" to see its parameters.`,
      );
    }),
  );
}

function isInputValue(value: unknown): value is Input[string] {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') || value.every((item) => isRecord(item));
  // What JSON reads as infinite would be sent as null.
  return typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean'].includes(typeof value);
}

function fromArguments(
  line: Readonly<Record<string, unknown>>,
  manifest: Manifest,
  session: string | undefined,
): BatchRequest {
  const { args, input } = line;
  if (!Array.isArray(args) || !args.every((item) => typeof item === 'string'))
    throw lineError('"args" is not a list of strings.', 'Write "args":["click","@e2"].');
  if (input !== undefined) throw lineError('"input" belongs to "command", not to "args".');
  const parsed = parseLine(args, manifest);
  if (parsed.kind !== 'run') {
    throw lineError(
      'A line of a batch must be a command, not a request for help or the version.',
      'Run "desk --help" on its own; the command "version" works in a batch.',
    );
  }
  const { command, input: read, globals } = parsed;
  requireJsonLines(command.name, globals);
  if (globals.noDaemon === true || globals.logLevel !== undefined) {
    throw new UsageError(
      command.name,
      '--no-daemon, --log-to-stderr and --verbose belong to the whole batch.',
      'Run "desk batch" with them.',
    );
  }
  if (globals.session !== undefined && session !== undefined)
    throw new UsageError(command.name, 'The session is given twice.', 'Give either --session or "session".');
  return { command, input: read, session: globals.session };
}

/** @throws UsageError for output options that a batch cannot have */
export function requireJsonLines(command: string, { format = 'json', pretty }: Globals): void {
  if (format !== 'json')
    throw new UsageError(command, 'A batch only answers in JSON.', 'Leave out --format.');
  if (pretty === true)
    throw new UsageError(command, 'A batch answers each line on one line.', 'Leave out --pretty.');
}

function parseJson(text: string): unknown {
  try {
    return parseGivenJson(text);
  } catch (error) {
    const isDeep = error instanceof Error && error.message === TOO_DEEP;
    throw lineError(isDeep ? `The line cannot be used: ${TOO_DEEP}.` : 'The line is not JSON.');
  }
}

/** A mistake before the command of a line is known. */
function lineError(message: string, suggestion = FORM): UsageError {
  return new UsageError('', message, suggestion);
}
