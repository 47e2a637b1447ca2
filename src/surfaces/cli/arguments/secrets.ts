import type { Readable } from 'node:stream';
import type { ManifestCommand, ManifestParameter } from './manifest.ts';
import type { OutputStream } from '../printing/output.ts';
import type { Input } from './scan.ts';
import { cancelled, isTerminal, promptHidden } from './secrets-prompt.ts';
import { UsageError } from './usage-error.ts';

/** Longest secret, in bytes. */
export const LONGEST_SECRET_BYTES = 1024 * 1024;

const FROM_STDIN = 'from_stdin';
const FROM_ENV = 'from_env';

/** A variable's name. Other text may be the secret itself, so messages do not repeat it. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Where a secret can come from. */
export interface SecretSources {
  /** Absent if standard input is in use, as in a batch. */
  readonly stdin: Readable | undefined;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Additional flags of a command with a secret. */
export function secretFlags({
  secret,
}: Pick<ManifestCommand, 'secret'>): readonly (ManifestParameter & { readonly flag: string })[] {
  if (secret === undefined) return [];
  return [
    {
      key: FROM_STDIN,
      flag: 'from-stdin',
      type: 'boolean',
      help: `Read the ${secret} from standard input, so that other programs cannot see it; on a terminal, prompt without echo.`,
    },
    {
      key: FROM_ENV,
      flag: 'from-env',
      type: 'string',
      help: `Read the ${secret} from this environment variable.`,
    },
  ];
}

/**
 * The input with its secret read from the given source, and the keys whose text must not be repeated.
 * @throws UsageError unless exactly one source is given and readable
 * @throws CallFailure when the user cancels
 */
export async function withSecret(
  command: ManifestCommand,
  given: Input,
  sources: SecretSources,
): Promise<{ readonly input: Input; readonly secrets: readonly string[] }> {
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

function readVariable(command: string, variable: Input[string], { environment }: SecretSources): string {
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
  { stdin, stderr, signal }: SecretSources,
): Promise<string> {
  if (stdin === undefined) {
    throw new UsageError(
      name,
      'A batch reads its lines from standard input, so --from-stdin cannot be used.',
      'Use --from-env NAME, or run the command on its own.',
    );
  }
  if (isTerminal(stdin))
    return promptHidden(stdin, stderr, {
      label: `${secret} (not shown): `,
      limitBytes: LONGEST_SECRET_BYTES,
      signal,
    });
  const bytes = withoutLineBreak(await readAll(stdin, signal));
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
