import { z } from 'zod';
import { isDryRunReport, outlineDryRun } from '../model/effects/dry-run.ts';
import { failure, success } from '../model/effects/envelope.ts';
import { ErrorBody } from '../model/effects/error-body.ts';
import { FinishedCommand, outlineFinished } from '../model/terminals/finished-command.ts';
import { FinishedOperation } from '../model/tools/operation-answer.ts';
import type { DeskterityError } from '../model/effects/errors.ts';
import { changeBetweenMentions, spellMentions, spellMentionsIn } from '../model/text/mention.ts';
import type { Speller } from '../model/text/mention.ts';
import { setApart } from '../model/text/set-apart.ts';
import { quote, reveal, stringifyVisibly } from '../model/text/untrusted-text.ts';
import { isRecord } from '../model/is-record.ts';
import { line, span, type Page } from '../model/text/page.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import { errorPage } from './page/error-page.ts';
import { printPage } from './page/print-page.ts';
import { PLAIN, type Screen } from './page/screen-style.ts';
import { showControls } from './show-controls.ts';
import { withhold } from '../model/redaction/withhold.ts';

/** `json` is the contract, `human` is for people at a terminal, `outline` for models, `text` the bare answer; `quiet` leaves only the exit code. */
export type OutputFormat = 'json' | 'human' | 'outline' | 'text' | 'quiet';

/** An answer as printed. */
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
  /** Spells the commands and parameters that the answer mentions. */
  readonly speller: Speller;
  /** For `human`. */
  readonly screen?: Screen | undefined;
}

/** Renders what a command returned. */
export function renderAnswer(
  command: RegisteredCommand,
  answer: Record<string, unknown>,
  options: RenderOptions,
): Rendered {
  const output = withheld(answer, options);
  const definition = formOf(command, output);
  const { name } = command;
  const exitCode = definition.exitCode?.(output) ?? 0;
  if (options.format === 'quiet') return { exitCode, stdout: '', stderr: '' };
  if (options.format === 'json')
    return { exitCode, stdout: toJson(success(name, output), options), stderr: '' };
  if (options.format === 'human')
    return { exitCode, stdout: printAnswer(command, output, options), stderr: '' };
  const bare = options.format === 'text' ? definition.text?.(output) : undefined;
  const quoted = quotedOf(command, output);
  const apart = quoted === '' ? '' : setApart(quoted.trimEnd());
  const whole = bare ?? `${outlineOf(command, output)}\n${apart}`.trimEnd();
  const text = shown(spellMentions(whole, options.speller));
  const place = options.format === 'outline' ? placeOf(output) : '';
  const finished = options.format === 'outline' ? shown(finishedLines(output)) : '';
  // The bare text has no place for it, and must not look complete.
  const notes = bare === undefined ? [] : leftOutOf(output);
  const stderr = spellMentions(notes.map((note) => `left out: ${note}\n`).join(''), options.speller);
  return { exitCode, stdout: `${text}${place}${finished}`, stderr };
}

/** An answer for a person: its page, or its outline in colour. */
function printAnswer(
  command: RegisteredCommand,
  output: Record<string, unknown>,
  options: RenderOptions,
): string {
  const definition = formOf(command, output);
  const quoted = quotedOf(command, output);
  const display = output['private_desktop'];
  const finished = finishedLines(output);
  const page: Page = [
    ...(definition.page?.(output) ?? [{ kind: 'outline', text: outlineOf(command, output) }]),
    ...(quoted === '' ? [] : [{ kind: 'verbatim', text: quoted } as const]),
    ...(typeof display === 'string' ? [line(span(`on private desktop ${display}`, 'quiet'))] : []),
    ...(finished === '' ? [] : [{ kind: 'verbatim', text: finished } as const]),
  ];
  return printPage(spellMentionsIn(page, options.speller), screenOf(options).onOutput);
}

function screenOf({ screen = PLAIN }: RenderOptions): Screen {
  return screen;
}

/** What an answer says that it lacks. */
function leftOutOf({ left_out: leftOut }: Record<string, unknown>): readonly string[] {
  return z.array(z.string()).safeParse(leftOut).data ?? [];
}

/** The compact text form of an answer without its quoted text. The surface spells its mentions and shows the result with {@link showControls}. */
export function outlineAnswer(command: RegisteredCommand, output: Record<string, unknown>): string {
  const text = changeBetweenMentions(outlineOf(command, output), showControls);
  return `${ended(text)}${placeOf(output)}`;
}

/** The quoted text of an answer; usually empty. */
export function quotedOf(command: RegisteredCommand, output: Record<string, unknown>): string {
  return formOf(command, output).quoted?.(output) ?? '';
}

function outlineOf(command: RegisteredCommand, output: Record<string, unknown>): string {
  if (isDryRunReport(output)) return outlineDryRun(output);
  return command.definition.outline?.(output) ?? listing(output);
}

type Form = Pick<RegisteredCommand['definition'], 'exitCode' | 'quoted' | 'text' | 'page'>;

/** How a command shows an answer; that of a dry run is none of its own. */
function formOf({ definition }: RegisteredCommand, output: Record<string, unknown>): Form {
  return isDryRunReport(output) ? {} : definition;
}

/** Operations and terminal commands that ended since the session's last answer. */
export function finishedLines(output: Record<string, unknown>): string {
  const { data = [] } = z.array(FinishedOperation).safeParse(output['finished_operations']);
  const { data: commands = [] } = z.array(FinishedCommand).safeParse(output['finished_commands']);
  const lines = [
    ...data.map(({ operation_id: id, tool, status }) => `${id} ${reveal(tool)} ${status}`),
    ...commands.map((one) => outlineFinished(one)),
  ];
  return lines.map((one) => `finished meanwhile: ${one}`).join('\n');
}

/** Every answer from a private desktop names it. */
function placeOf(output: Record<string, unknown>): string {
  const display = output['private_desktop'];
  return typeof display === 'string' ? shown(`on private desktop ${display}`) : '';
}

function withheld(
  data: Record<string, unknown>,
  { secrets, speller }: RenderOptions,
): Record<string, unknown> {
  // Spelled first: quoted text inside a mention would not be recognised.
  const clean = withhold(spellMentionsIn(data, speller), secrets);
  return isRecord(clean) ? clean : {};
}

/** Renders a failure. `command` is the requested name, known or not. */
export function renderFailure(command: string, error: DeskterityError, options: RenderOptions): Rendered {
  const { exitCode } = error;
  const body = ErrorBody.parse(withheld(error.toBody(), options));
  const result = withheld(error.result ?? {}, options);
  if (options.format === 'json')
    return { exitCode, stdout: toJson(failure(command, body, result), options), stderr: '' };
  if (options.format === 'quiet') return { exitCode, stdout: '', stderr: '' };
  if (options.format === 'human')
    return { exitCode, stdout: '', stderr: printPage(errorPage(body), screenOf(options).onError) };
  const { head, quoted, suggestion } = linesOf(body);
  const { outline: report } = withheld(error.report === undefined ? {} : { outline: error.report }, options);
  const done = typeof report === 'string' ? [report] : [];
  return { exitCode, stdout: '', stderr: shown([head, ...quoted, ...done, `  ${suggestion}`].join('\n')) };
}

/** A failure as lines: what happened, details from the platform and applications, and the next step. */
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

/** Ends with a newline; control characters that could act on a terminal are made visible. */
function shown(raw: string): string {
  return ended(showControls(raw));
}

function ended(text: string): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}
