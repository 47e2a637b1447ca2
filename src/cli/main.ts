import { commandHelp, generalHelp } from './help.ts';
import type { Format } from './globals.ts';
import type { Manifest, ManifestCommand } from './manifest.ts';
import { writeAll } from './output.ts';
import type { OutputStream } from './output.ts';
import { formatOf, parseLine } from './parse.ts';
import type { Input } from './parse.ts';
import { UsageError } from './usage-error.ts';

/** What runs the commands; `host/` offers it, so does a fake in tests. */
export interface Executor {
  execute(
    session: string,
    command: string,
    input: Input,
    options: { readonly format: Format; readonly pretty: boolean; readonly signal: AbortSignal },
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
  close(): Promise<void>;
}

export interface CliParts {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly manifest: Manifest;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal;
  /** Called only for a command that is well formed. */
  readonly openExecutor: (version: string) => Promise<Executor>;
}

/** Time the desktop gets to be left in good order after an answer has been printed. */
const CLOSE_LIMIT_MS = 500;

/** General failure (DESIGN §6): it was done, but nobody can know. */
const LOST_OUTPUT_EXIT_CODE = 1;

/** One command line from arguments to exit code; everything is printed when it resolves. */
export async function main(parts: CliParts): Promise<number> {
  const { argv, manifest, stdout } = parts;
  try {
    const parsed = parseLine(argv, manifest);
    if (parsed.kind === 'run') {
      const { format, pretty = stdout.isTTY === true, session } = parsed.globals;
      return await run(parts, parsed.command.name, parsed.input, { format, pretty, session });
    }
    await writeAll(stdout, parsed.kind === 'version' ? `${manifest.version}\n` : help(parts, parsed.command));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return printUsageError(parts, error);
    await writeAll(
      parts.stderr,
      `desk: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return manifest.internalExitCode;
  }
}

async function run(
  parts: CliParts,
  command: string,
  input: Input,
  options: { readonly format: Format; readonly pretty: boolean; readonly session: string | undefined },
): Promise<number> {
  const { format, pretty } = options;
  const fromEnvironment = parts.environment['DESKTERITY_SESSION'];
  const session =
    options.session ??
    (fromEnvironment === undefined || fromEnvironment === '' ? 'default' : fromEnvironment);
  const executor = await parts.openExecutor(parts.manifest.version);
  const answer = await executor.execute(session, command, input, { format, pretty, signal: parts.signal });
  await writeAll(parts.stderr, answer.stderr);
  const isWritten = await writeAll(parts.stdout, answer.stdout);
  await closeWithin(executor, CLOSE_LIMIT_MS);
  if (isWritten) return answer.exitCode;
  await writeAll(parts.stderr, 'desk: the answer could not be written to standard output.\n');
  return answer.exitCode === 0 ? LOST_OUTPUT_EXIT_CODE : answer.exitCode;
}

async function closeWithin(executor: Executor, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  // The answer is out and true; a desktop that cannot be closed does not change it.
  await Promise.race([executor.close().catch(() => undefined), limit]);
  clearTimeout(timer);
}

async function printUsageError(
  { argv, manifest, stdout, stderr }: CliParts,
  error: UsageError,
): Promise<number> {
  const { code, exitCode } = manifest.usageError;
  const { command, message, suggestion } = error;
  const format = formatOf(argv);
  if (format === 'json') {
    const body = { code, message, suggestion, retryable: false };
    const envelope = { version: manifest.envelopeVersion, ok: false, command, error: body };
    await writeAll(stdout, `${JSON.stringify(envelope, undefined, stdout.isTTY === true ? 2 : undefined)}\n`);
  } else if (format !== 'quiet') {
    await writeAll(stderr, `error ${code}: ${message}\n  ${suggestion}\n`);
  }
  return exitCode;
}

function help({ stdout, environment, manifest }: CliParts, command: ManifestCommand | undefined): string {
  const plain = environment['TERM'] === 'dumb' || (environment['NO_COLOR'] ?? '') !== '';
  const style = {
    width: Math.min(Math.max(stdout.columns ?? 100, 40), 110),
    colour: stdout.isTTY === true && !plain,
  };
  return command === undefined ? generalHelp(manifest, style) : commandHelp(command, style);
}
