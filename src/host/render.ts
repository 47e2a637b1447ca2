import { failure, success } from '../model/envelope.ts';
import type { DeskterityError } from '../model/errors.ts';
import { quote, reveal, stringifyVisibly } from '../model/untrusted-text.ts';
import type { RegisteredCommand } from '../registry/registry.ts';

/** `json` is the contract; `outline` and `text` are for reading; `quiet` leaves only the exit code. */
export type OutputFormat = 'json' | 'outline' | 'text' | 'quiet';

/** The bytes of an answer. */
export interface Rendered {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RenderOptions {
  readonly format: OutputFormat;
  readonly pretty: boolean;
}

/** Renders what a command returned. */
export function renderAnswer(
  command: RegisteredCommand,
  output: Record<string, unknown>,
  options: RenderOptions,
): Rendered {
  const { definition, name } = command;
  const exitCode = definition.exitCode?.(output) ?? 0;
  if (options.format === 'quiet') return { exitCode, stdout: '', stderr: '' };
  if (options.format === 'json')
    return { exitCode, stdout: toJson(success(name, output), options.pretty), stderr: '' };
  const bare = options.format === 'text' ? definition.text?.(output) : undefined;
  return { exitCode, stdout: line(bare ?? definition.outline?.(output) ?? listing(output)), stderr: '' };
}

/** Renders a failure. `command` is what the caller asked for, known or not. */
export function renderFailure(command: string, error: DeskterityError, options: RenderOptions): Rendered {
  const { exitCode } = error;
  if (options.format === 'json')
    return {
      exitCode,
      stdout: toJson(failure(command, error.toBody(), error.result), options.pretty),
      stderr: '',
    };
  if (options.format === 'quiet') return { exitCode, stdout: '', stderr: '' };
  const lines = [`error ${error.code}: ${error.message}`];
  if (error.platformDetail !== undefined) lines.push(`  ${error.platformDetail}`);
  for (const { ref, role, name, pid, detail } of error.candidates) {
    const quoted = name === undefined ? undefined : quote(name);
    const parts = [role, quoted, ref, pid === undefined ? undefined : `pid=${pid}`, detail];
    lines.push(`  candidate: ${parts.filter((part) => part !== undefined).join(' ')}`);
  }
  lines.push(`  ${error.suggestion}`);
  return { exitCode, stdout: '', stderr: line(lines.join('\n')) };
}

function toJson(envelope: unknown, pretty: boolean): string {
  return `${stringifyVisibly(envelope, pretty ? 2 : undefined)}\n`;
}

function listing(output: Record<string, unknown>): string {
  return Object.entries(output)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Ends with a newline; control characters that could steer a terminal are shown instead of sent. */
function line(raw: string): string {
  const text = raw.replaceAll(/(?![\n\t])\p{Cc}/gu, (character) => reveal(character));
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}
