import { z } from 'zod';
import { failure, success } from '../model/effects/envelope.ts';
import { ErrorBody } from '../model/effects/error-body.ts';
import { FinishedCommand, outlineFinished } from '../model/terminals/finished-command.ts';
import { FinishedOperation } from '../model/tools/operation-answer.ts';
import type { DeskterityError } from '../model/effects/errors.ts';
import { changeBetweenMentions, spellMentions, spellMentionsIn } from '../model/text/mention.ts';
import type { Speller } from '../model/text/mention.ts';
import { quote, reveal, stringifyVisibly } from '../model/text/untrusted-text.ts';
import { isRecord } from '../model/is-record.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import { withhold } from './withhold.ts';

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
  /** Texts that must not be repeated. */
  readonly secrets: readonly string[];
  /** How commands and parameters are written that the answer mentions. */
  readonly speller: Speller;
}

/** Renders what a command returned. */
export function renderAnswer(
  command: RegisteredCommand,
  answer: Record<string, unknown>,
  options: RenderOptions,
): Rendered {
  const { definition, name } = command;
  const output = withheld(answer, options);
  const exitCode = definition.exitCode?.(output) ?? 0;
  if (options.format === 'quiet') return { exitCode, stdout: '', stderr: '' };
  if (options.format === 'json')
    return { exitCode, stdout: toJson(success(name, output), options), stderr: '' };
  const bare = options.format === 'text' ? definition.text?.(output) : undefined;
  const whole = bare ?? `${outlineOf(command, output)}\n${quotedOf(command, output)}`.trimEnd();
  const text = line(spellMentions(whole, options.speller));
  const place = options.format === 'outline' ? placeOf(output) : '';
  const news = options.format === 'outline' ? line(newsOf(output)) : '';
  return { exitCode, stdout: `${text}${place}${news}`, stderr: '' };
}

/** The compact text form of an answer, without what it quotes. Its mentions are spelled by the surface, which shows the result with {@link showControls}. */
export function outlineAnswer(command: RegisteredCommand, output: Record<string, unknown>): string {
  const text = changeBetweenMentions(outlineOf(command, output), showControls);
  return `${ended(text)}${placeOf(output)}`;
}

/** What the answer quotes; empty for most. */
export function quotedOf({ definition }: RegisteredCommand, output: Record<string, unknown>): string {
  return definition.quoted?.(output) ?? '';
}

function outlineOf({ definition }: RegisteredCommand, output: Record<string, unknown>): string {
  return definition.outline?.(output) ?? listing(output);
}

/** Operations, and commands in terminals, that ended since the session was last answered. */
export function newsOf(output: Record<string, unknown>): string {
  const { data = [] } = z.array(FinishedOperation).safeParse(output['finished_operations']);
  const { data: commands = [] } = z.array(FinishedCommand).safeParse(output['finished_commands']);
  const told = [
    ...data.map(({ operation_id: id, tool, status }) => `${id} ${reveal(tool)} ${status}`),
    ...commands.map((one) => outlineFinished(one)),
  ];
  return told.map((one) => `finished meanwhile: ${one}`).join('\n');
}

/** Every answer from a desktop that the caller does not see says so. */
function placeOf(output: Record<string, unknown>): string {
  const display = output['private_desktop'];
  return typeof display === 'string' ? line(`on private desktop ${display}`) : '';
}

function withheld(
  data: Record<string, unknown>,
  { secrets, speller }: RenderOptions,
): Record<string, unknown> {
  // Spelled first: what is quoted inside a mention would not be recognised.
  const clean = withhold(spellMentionsIn(data, speller), secrets);
  return isRecord(clean) ? clean : {};
}

/** Renders a failure. `command` is what the caller asked for, known or not. */
export function renderFailure(command: string, error: DeskterityError, options: RenderOptions): Rendered {
  const { exitCode } = error;
  const body = ErrorBody.parse(withheld(error.toBody(), options));
  const result = withheld(error.result ?? {}, options);
  if (options.format === 'json')
    return { exitCode, stdout: toJson(failure(command, body, result), options), stderr: '' };
  if (options.format === 'quiet') return { exitCode, stdout: '', stderr: '' };
  const { head, quoted, suggestion } = linesOf(body);
  return { exitCode, stdout: '', stderr: line([head, ...quoted, `  ${suggestion}`].join('\n')) };
}

/** A failure as lines: what happened, what the platform and applications say to it, and the way on. */
export interface FailureLines {
  readonly head: string;
  readonly quoted: readonly string[];
  readonly suggestion: string;
}

export function failureLines(error: DeskterityError): FailureLines {
  const { head, quoted, suggestion } = linesOf(error.toBody());
  return {
    head: showControls(head),
    quoted: quoted.map((text) => showControls(text)),
    suggestion: showControls(suggestion),
  };
}

function linesOf(body: ErrorBody): FailureLines {
  const quoted = body.platform_detail === undefined ? [] : [`  ${body.platform_detail}`];
  for (const { ref, role, name, pid, detail } of body.candidates ?? []) {
    const called = name === undefined ? undefined : quote(name);
    const parts = [role, called, ref, pid === undefined ? undefined : `pid=${pid}`, detail];
    quoted.push(`  candidate: ${parts.filter((part) => part !== undefined).join(' ')}`);
  }
  return { head: `error ${body.code}: ${body.message}`, quoted, suggestion: body.suggestion };
}

function toJson(envelope: unknown, { pretty }: RenderOptions): string {
  return `${stringifyVisibly(envelope, pretty ? 2 : undefined)}\n`;
}

function listing(output: Record<string, unknown>): string {
  return Object.entries(output)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Ends with a newline; control characters that could steer a terminal are shown instead of sent. */
function line(raw: string): string {
  return ended(showControls(raw));
}

function ended(text: string): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}

/** The text with its control characters shown, but for what makes lines and columns. */
export function showControls(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (character) => reveal(character));
}
