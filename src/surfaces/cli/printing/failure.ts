import { UsageError } from '../arguments/usage-error.ts';
import { CallFailure } from '../daemon/call-failure.ts';
import type { Format } from '../arguments/globals.ts';
import type { Manifest } from '../arguments/manifest.ts';
import type { Environment } from '../../../wire/client-frames.ts';
import { writeAll, type OutputStream } from './output.ts';

/** A failure that the command line itself prints. */
export interface Failure {
  /** Empty if unknown. */
  readonly command: string;
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
  readonly detail?: string | undefined;
  readonly retryable: boolean;
  readonly delivered?: boolean | undefined;
}

export interface FailureOutput {
  readonly manifest: Manifest;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
}

/** The failure to print for an error; `undefined` for a bug in this program. `command` is the one that was run. */
export function failureOf(error: unknown, { usageError }: Manifest, command: string): Failure | undefined {
  if (error instanceof UsageError) {
    const { message, suggestion } = error;
    return { command: error.command, code: usageError.code, message, suggestion, retryable: false };
  }
  if (!(error instanceof CallFailure)) return undefined;
  const { code, message, suggestion, detail, retryable, delivered } = error;
  return { command, code, message, suggestion, detail, retryable, delivered };
}

/** Prints a failure like an answer and returns its exit code. */
export async function printFailure(output: FailureOutput, failure: Failure, format: Format): Promise<number> {
  const { manifest, stdout, stderr } = output;
  const { code, message, suggestion, detail } = failure;
  if (format === 'json') {
    await writeAll(
      stdout,
      `${JSON.stringify(envelopeOf(manifest, failure), undefined, stdout.isTTY === true ? 2 : undefined)}\n`,
    );
  } else if (format === 'human') {
    const [{ humanFailure }, { hasColour, screenFacts }] = await Promise.all([
      import('./human-failure.ts'),
      import('./screen.ts'),
    ]);
    const { environment } = output;
    const { ascii } = screenFacts(environment, stderr);
    const colour = hasColour(environment, stderr.isTTY === true);
    await writeAll(stderr, humanFailure(failure, { colour, ascii }));
  } else if (format !== 'quiet') {
    const details = detail === undefined ? '' : `  ${detail}\n`;
    await writeAll(stderr, `error ${code}: ${message}\n${details}  ${suggestion}\n`);
  }
  return manifest.errorExitCodes[code] ?? manifest.internalExitCode;
}

/** Prints a failure on one line of standard error, as standard output carries a protocol, and returns its exit code. */
export async function printBesideProtocol(
  { manifest, stderr }: Pick<FailureOutput, 'manifest' | 'stderr'>,
  { code, message, suggestion, detail }: Failure,
): Promise<number> {
  const details = detail === undefined ? '' : ` (${detail})`;
  const line = `desk mcp: ${code}: ${message}${details} ${suggestion}`.replaceAll(/\s+/g, ' ');
  await writeAll(stderr, `${line}\n`);
  return manifest.errorExitCodes[code] ?? manifest.internalExitCode;
}

/** The envelope of a failure. */
export function envelopeOf(
  { envelopeVersion }: Manifest,
  failure: Failure,
): Readonly<Record<string, unknown>> {
  const { command, code, message, suggestion, detail, retryable, delivered } = failure;
  const error = {
    code,
    message,
    suggestion,
    ...(detail === undefined ? {} : { platform_detail: detail }),
    retryable,
    ...(delivered === undefined ? {} : { delivered }),
  };
  return { version: envelopeVersion, ok: false, command, error };
}
