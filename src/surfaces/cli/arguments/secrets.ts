import type { Readable } from 'node:stream';
import { isRecord } from '../../../model/is-record.ts';
import { FROM_INPUT, listFrom } from './json-list.ts';
import type { ManifestCommand, ManifestParameter } from './manifest.ts';
import type { OutputStream } from '../printing/output.ts';
import { FROM_ENV, FROM_STDIN, type GivenInput } from './secret-flags.ts';
import { cancelled, isTerminal, promptHidden } from './secrets-prompt.ts';
import { UsageError } from './usage-error.ts';

/** Longest secret, in bytes. */
export const LONGEST_SECRET_BYTES = 1024 * 1024;

/** A variable's name. Other text may be the secret itself, so messages do not repeat it. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Where a secret can come from. */
export interface SecretSources {
  /** Absent if standard input is in use, as in a batch. */
  readonly stdin: Readable | undefined;
  /** What it is in use for, as a sentence. Default: the lines of a batch. */
  readonly stdinUse?: string;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The input of a command, and the keys (`value`, `fields.0.value`) whose text must not be repeated. */
export interface Completed {
  readonly input: GivenInput;
  readonly secrets: readonly string[];
}

/**
 * The input with its secrets read from the given sources, and its list from standard input if that is asked for.
 * @param commands those that can be steps
 * @throws UsageError unless exactly one source is given and readable
 * @throws CallFailure when the user cancels
 */
export async function withSecret(
  command: ManifestCommand,
  given: GivenInput,
  sources: SecretSources,
  commands: readonly ManifestCommand[] = [],
): Promise<Completed> {
  const list = command.parameters.find(({ bare }) => bare !== undefined);
  return list === undefined
    ? withOwnSecret(command, given, sources)
    : withListSecrets(command, list, given, { sources, commands });
}

async function withListSecrets(
  command: ManifestCommand,
  { key, bare }: ManifestParameter,
  given: GivenInput,
  from: { readonly sources: SecretSources; readonly commands: readonly ManifestCommand[] },
): Promise<Completed> {
  let { sources } = from;
  let items = given[key];
  if (items === FROM_INPUT) {
    items = listFrom(command.name, await readText(command.name, sources));
    sources = { ...sources, stdin: undefined, stdinUse: 'Standard input holds the list.' };
  }
  if (!Array.isArray(items)) return { input: given, secrets: [] };
  const completed: Readonly<Record<string, unknown>>[] = [];
  const secrets: string[] = [];
  for (const [index, item] of items.entries()) {
    if (!isRecord(item)) return { input: given, secrets: [] };
    const { isNested, input, name, others } = partsOf(item);
    const of =
      bare === 'pairs'
        ? { ...command, secret: 'value', parameters: [] }
        : from.commands.find((one) => one.name === name || one.aliases?.includes(String(name)) === true);
    const inner =
      of === undefined ? { input, secrets: [] } : await withSecret(of, input, sources, from.commands);
    // One secret may come from standard input.
    if (readsStdin(item))
      sources = {
        ...sources,
        stdin: undefined,
        stdinUse: 'An earlier value already comes from standard input.',
      };
    completed.push(isNested ? { ...others, input: inner.input } : { ...others, ...inner.input });
    const place = isNested ? `${key}.${index}.input` : `${key}.${index}`;
    secrets.push(...inner.secrets.map((inside) => `${place}.${inside}`));
  }
  return { input: { ...given, [key]: completed }, secrets };
}

/** An item of a list: a step has the input of its command under `input`, or beside the name of the command. */
function partsOf(item: Readonly<Record<string, unknown>>): {
  readonly isNested: boolean;
  readonly name: unknown;
  readonly input: GivenInput;
  readonly others: GivenInput;
} {
  const { command: name, input: nested, ...beside } = item;
  const others = name === undefined ? {} : { command: name };
  return isRecord(nested) && name !== undefined
    ? { isNested: true, name, input: nested, others: { ...others, ...beside } }
    : { isNested: false, name, input: nested === undefined ? beside : { ...beside, input: nested }, others };
}

function readsStdin(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => readsStdin(item));
  return isRecord(value) && (value[FROM_STDIN] === true || Object.values(value).some(readsStdin));
}

async function withOwnSecret(
  command: ManifestCommand,
  given: GivenInput,
  sources: SecretSources,
): Promise<Completed> {
  const { name, secret } = command;
  if (secret === undefined) return { input: given, secrets: [] };
  const { [FROM_STDIN]: fromStdin, [FROM_ENV]: variable, ...input } = given;
  const sourcesGiven = [input[secret] !== undefined, fromStdin === true, variable !== undefined];
  const count = sourcesGiven.filter(Boolean).length;
  const choice = `Give one of <${secret}>, --from-stdin or --from-env NAME.`;
  if (count > 1)
    throw new UsageError(name, `desk ${name} has more than one source for its ${secret}.`, choice);
  const isRequired = command.parameters.some(({ key, required }) => key === secret && required === true);
  if (count === 0 && isRequired) throw new UsageError(name, `desk ${name} needs a ${secret}.`, choice);
  if (fromStdin === true)
    return {
      input: { ...input, [secret]: await readFromStdin(command, secret, sources) },
      secrets: [secret],
    };
  if (variable === undefined) return { input, secrets: [] };
  return { input: { ...input, [secret]: readVariable(name, variable, sources) }, secrets: [secret] };
}

function readVariable(command: string, variable: unknown, { environment }: SecretSources): string {
  if (typeof variable !== 'string' || !VARIABLE_NAME.test(variable)) {
    throw new UsageError(
      command,
      '--from-env needs the name of an environment variable: letters, digits and underscores.',
      `Write desk ${command} … --from-env NAME, without a dollar sign.`,
    );
  }
  const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (value === undefined) {
    throw new UsageError(
      command,
      `The environment variable ${variable} is not set.`,
      'Set and export it first, or use --from-stdin.',
    );
  }
  // Node decodes invalid UTF-8 as U+FFFD.
  if (value.includes('\uFFFD')) {
    throw new UsageError(
      command,
      `The environment variable ${variable} is not UTF-8.`,
      'Set it in UTF-8. To pass the character U+FFFD itself, use --from-stdin.',
    );
  }
  return value;
}

async function readFromStdin(
  { name }: ManifestCommand,
  secret: string,
  sources: SecretSources,
): Promise<string> {
  const { stdin, stderr, signal } = sources;
  if (stdin !== undefined && isTerminal(stdin))
    return promptHidden(stdin, stderr, {
      label: `${secret} (not shown): `,
      limitBytes: LONGEST_SECRET_BYTES,
      signal,
    });
  return decoded(name, withoutLineBreak(await readInput(name, sources)));
}

async function readInput(name: string, { stdin, stdinUse, signal }: SecretSources): Promise<Uint8Array> {
  if (stdin !== undefined) return readAll(stdin, signal);
  throw new UsageError(
    name,
    `${stdinUse ?? 'A batch reads its lines from standard input.'} It cannot be read for this as well.`,
    'Use --from-env NAME, or run the command on its own.',
  );
}

/** The text on standard input. @throws UsageError if it is in use, too long or not UTF-8 */
export async function readText(name: string, sources: SecretSources): Promise<string> {
  return decoded(name, await readInput(name, sources));
}

function decoded(name: string, bytes: Uint8Array): string {
  if (bytes.length > LONGEST_SECRET_BYTES) {
    throw new UsageError(
      name,
      `Standard input is longer than ${LONGEST_SECRET_BYTES} bytes.`,
      'A secret may be up to 1 MiB.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(
      name,
      'Standard input is not UTF-8 text.',
      'Pipe the text itself, not a file in another encoding.',
    );
  }
}

/** Drops one line break at the end, as `echo` adds one. */
function withoutLineBreak(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

/** The whole input, or just enough to exceed the limit. */
async function readAll(stdin: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      length += bytes.length;
      chunks.push(bytes);
      // One line break at the end does not count.
      if (length > LONGEST_SECRET_BYTES + 2) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (signal.aborted) throw cancelled();
  return Buffer.concat(chunks);
}
