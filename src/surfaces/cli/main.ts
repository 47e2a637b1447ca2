import { parseSwitch, SWITCH_WORDS } from '../../model/configuration/switch-words.ts';
import type { Readable } from 'node:stream';
import { TIMERS, within } from '../../model/within.ts';
import { executeUrgently } from './daemon/urgent-call.ts';
import type { Connection, Rendered } from './daemon/connection.ts';
import { failureOf, printBesideProtocol, printFailure } from './printing/failure.ts';
import { listOf } from './arguments/lists.ts';
import { FROM_ENV, FROM_STDIN, type GivenInput } from './arguments/secret-flags.ts';
import type { Manifest, ManifestCommand } from './arguments/manifest.ts';
import type { Manual } from './printing/manual.ts';
import { exitCodeOfLost, writeAll, type OutputStream } from './printing/output.ts';
import { formatOf, parseLine, type Globals, type ParsedLine } from './arguments/parse.ts';
import { formatIn, formOf, hasColour, isPlain, screenFacts, usualForm, widthOf } from './printing/screen.ts';
import type { ProgressLine } from './printing/progress-line.ts';
import type { Format } from './arguments/globals.ts';
import type { ScreenFacts } from '../../wire/client-frames.ts';
import { UsageError } from './arguments/usage-error.ts';
import type { ClientVerb, VerbContext } from './verbs/verb.ts';

export interface CliParts {
  readonly argv: readonly string[];
  /** Whether standard input is a pipe or a socket, so that a program may be at the other end. */
  readonly isInputPiped: () => boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly manifest: Manifest;
  /** Loaded only for help and completion. */
  readonly manual: () => Promise<Manual>;
  /** Opened only when standard input is read. */
  readonly stdin: () => Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Opens what runs commands; called only for a well-formed command. */
  readonly connect: (where: 'daemon' | 'process', options?: ConnectOptions) => Promise<Connection>;
}

export interface ConnectOptions {
  /** Environment variables to add to the caller's. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The terminal for answers for people, which are then the default. */
  readonly screen?: ScreenFacts | undefined;
}

/** Time to close the connection after the answer has been printed. */
const CLOSE_LIMIT_MS = 500;
/** A call that takes longer says what it is doing. */
const PROGRESS_AFTER_MS = 700;

/** Runs one command line. Resolves with the exit code after everything is printed. */
export async function main(parts: CliParts): Promise<number> {
  const { manifest, stdout } = parts;
  const argv = parts.argv.length === 0 && parts.isInputPiped() ? ['mcp'] : parts.argv;
  // For completion scripts. Not a command, so that it is not listed.
  if (argv[0] === '__complete') {
    const { answerCompletion } = await import('./verbs/completion/completion-answer.ts');
    const { environment, manual } = parts;
    return answerCompletion({ argv: argv.slice(1), environment, manifest, manual, stdout });
  }
  let parsed: ParsedLine | undefined;
  try {
    checkEncoding(argv);
    parsed = parseLine(argv, manifest);
    if (parsed.kind === 'run') return await (isVerb(parsed) ? runVerb(parts, parsed) : run(parts, parsed));
    const text = parsed.kind === 'version' ? `${manifest.version}\n` : await help(parts, parsed);
    return (await writeAll(stdout, text)) ? 0 : exitCodeOfLost(0);
  } catch (error) {
    const failure = failureOf(error, manifest, parsed?.kind === 'run' ? parsed.command.name : '');
    if (failure !== undefined)
      return isMcpPipe(failure.command, argv)
        ? printBesideProtocol(parts, failure)
        : printFailure(parts, failure, formOfFailure(parts, argv));
    await writeAll(
      parts.stderr,
      `desk: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return manifest.internalExitCode;
  }
}

/** A failure is printed even if its cause is the variable that fixes the form. */
function formOfFailure({ environment, stdout }: CliParts, argv: readonly string[]): Format {
  try {
    return formOf(formatOf(argv), environment, stdout);
  } catch {
    return usualForm(stdout);
  }
}

/** Whether standard output carries only the MCP protocol. */
function isMcpPipe(command: string, argv: readonly string[]): boolean {
  return (command === 'mcp' || argv.includes('--mcp')) && !argv.includes('--http');
}

/** Node decodes invalid UTF-8 as U+FFFD, which would change a text or name another file. @throws UsageError */
function checkEncoding(argv: readonly string[]): void {
  const index = argv.findIndex((argument) => argument.includes('\uFFFD'));
  if (index === -1) return;
  throw new UsageError(
    '',
    `Argument ${index + 1} is not UTF-8.`,
    'Write it in UTF-8. To pass the character U+FFFD itself, use --from-stdin or desk batch.',
  );
}

type Run = Extract<ParsedLine, { kind: 'run' }>;

function isVerb({ command, input }: Run): boolean {
  return command.runsIn === 'client' || (command.name === 'audit show' && input['follow'] === true);
}

async function run(parts: CliParts, { command, input: given, globals }: Run): Promise<number> {
  const { stdout, signal } = parts;
  const { format, pretty = stdout.isTTY === true, logLevel } = globals;
  const { input, secrets } = await completed(parts, command, given);
  const lines: Promise<boolean>[] = [];
  const screen = screenOf(parts, globals);
  const progress = watchProgress(parts, command.name, screen !== undefined);
  const say =
    command.name === 'tools login'
      ? (await import('./printing/terminal.ts')).announcer(parts, input, progress.say)
      : progress.say;
  const execute = (one: Connection, until: AbortSignal | undefined = signal): Promise<Rendered> =>
    one.execute(sessionOf(parts, globals), command.name, input, {
      format,
      pretty,
      secrets,
      signal: until,
      onProgress: say,
      onQuestion: async (text) => {
        // It would overwrite the question.
        progress.end();
        return (await import('./printing/terminal.ts')).askAtTerminal(text, signal);
      },
      ...(logLevel && { logLevel, onLog: (line) => lines.push(writeAll(parts.stderr, `${line}\n`)) }),
    });
  const callOn = async (one: Connection) => ({ connection: one, answer: await execute(one) });
  const where = whereOf(parts, globals, command.name);
  const options = { variables: globals.variables, screen };
  const { answer, connection } = await (
    command.isUrgent === true && where === 'daemon'
      ? executeUrgently((to) => parts.connect(to, options), execute, signal)
      : parts.connect(where, options).then(callOn)
  ).finally(progress.end);
  if (answer.stderr !== '') lines.push(writeAll(parts.stderr, answer.stderr));
  await Promise.all(lines);
  const isWritten = await print(parts, globals, answer.stdout);
  // The answer is already printed; a failure to close does not change it.
  await within(TIMERS, connection.close(), CLOSE_LIMIT_MS).catch(() => undefined);
  if (isWritten) return answer.exitCode;
  await writeAll(parts.stderr, 'desk: cannot write the answer to standard output.\n');
  return exitCodeOfLost(answer.exitCode);
}

/** The terminal, if an answer for people may be printed: by default only a terminal gets one. @throws CallFailure CONFIG_INVALID */
function screenOf({ environment, stdout }: CliParts, { format }: Globals): ScreenFacts | undefined {
  const asked = format ?? formatIn(environment);
  const isForPeople = asked === 'human' || (asked === undefined && stdout.isTTY === true);
  return isForPeople ? screenFacts(environment, stdout) : undefined;
}

async function print({ stdout, environment }: CliParts, { pager }: Globals, text: string): Promise<boolean> {
  if (pager === true && stdout.isTTY === true && text !== '') {
    const { page } = await import('./printing/terminal.ts');
    if (await page(text, environment)) return true;
  }
  return writeAll(stdout, text);
}

/** Shows what a call is doing if it takes long and a person can see it. Loads nothing for a call that does not. */
function watchProgress(
  { stderr, environment }: CliParts,
  name: string,
  isForPeople: boolean,
): { readonly say: (message: string) => void; readonly end: () => void } {
  // Not `performance`, whose first use loads ten modules.
  const now = () => process.uptime() * 1000;
  const startedAtMs = now();
  let message = `${name} ${isPlain(environment) ? '...' : '…'}`;
  let isStep = false;
  let hasEnded = false;
  let line: ProgressLine | undefined;
  const begin = async () => {
    // Programs that read both streams must not find anything new in them.
    if (stderr.isTTY !== true && !isForPeople) return;
    const { ProgressLine } = await import('./printing/terminal.ts');
    if (hasEnded) return;
    const width = widthOf(environment, stderr.columns);
    const isColoured = hasColour(environment, stderr.isTTY === true);
    line = new ProgressLine(message, { stream: stderr, isStep, width, isColoured, startedAtMs, now });
  };
  const timer = setTimeout(() => void begin(), PROGRESS_AFTER_MS);
  return {
    say: (step) => {
      message = step;
      isStep = true;
      line?.say(step);
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
      line?.end();
    },
  };
}

async function runVerb(parts: CliParts, { command, input: given, globals }: Run): Promise<number> {
  const { checkVerbInput } = await import('./verbs/verb.ts');
  const input = checkVerbInput(command, given);
  const verb = await verbNamed(command.name);
  const { environment, manifest, stdout, signal } = parts;
  // Also for verbs that use no daemon: a wrong value should be noticed where it is set.
  const where = whereOf(parts, globals, command.name);
  const context: VerbContext = {
    input,
    globals,
    form: formOf(globals.format, environment, stdout),
    session: sessionOf(parts, globals),
    environment,
    manifest,
    get stdin() {
      return parts.stdin();
    },
    stdout,
    get stderr() {
      return parts.stderr;
    },
    signal,
    connect: (isForPeople = false) =>
      parts.connect(where, {
        variables: globals.variables,
        screen: isForPeople ? screenOf(parts, globals) : undefined,
      }),
  };
  return verb.run(context);
}

async function verbNamed(name: string): Promise<ClientVerb> {
  // Part of the main bundle: it is small, and a client waits for it.
  if (name === 'mcp') return (await import('./verbs/mcp/mcp.ts')).verb;
  const { CLIENT_VERBS } = await import('./verbs/index.ts');
  const load = CLIENT_VERBS[name];
  if (load === undefined) throw new Error(`The command ${name} has no implementation.`);
  return (await load()).verb;
}

async function completed(
  parts: CliParts,
  command: ManifestCommand,
  input: Run['input'],
): Promise<{ readonly input: GivenInput; readonly secrets: readonly string[] }> {
  if (isComplete(command, input)) return { input, secrets: [] };
  const { stdin, stderr, environment, signal, manifest } = parts;
  const { completeInput } = await import('./arguments/complete-input.ts');
  const sources = {
    get stdin() {
      return stdin();
    },
    stderr,
    environment,
    signal,
  };
  const parse = (words: readonly string[]) => parseLine(words, manifest);
  return completeInput(command, input, sources, { parse, commands: manifest.commands });
}

/** Whether the arguments hold the whole input, so that no file, standard input or environment variable has to be read. */
function isComplete(command: ManifestCommand, input: Run['input']): boolean {
  if (listOf(command) !== undefined) return false;
  const { secret } = command;
  if (secret === undefined) return true;
  return input[secret] !== undefined && input[FROM_STDIN] === undefined && input[FROM_ENV] === undefined;
}

function sessionOf({ environment }: CliParts, { session }: Globals): string {
  const named = environment['DESKTERITY_SESSION'];
  return session ?? (named === undefined || named === '' ? 'default' : named);
}

function whereOf({ environment }: CliParts, { noDaemon }: Globals, command: string): 'daemon' | 'process' {
  const asked = environment['DESKTERITY_NO_DAEMON'] ?? '';
  const isAsked = asked === '' ? false : parseSwitch(asked);
  if (isAsked === undefined)
    throw new UsageError(
      command,
      `DESKTERITY_NO_DAEMON is ${JSON.stringify(asked.slice(0, 80))}, which is neither true nor false.`,
      `Set it to ${SWITCH_WORDS}, or to nothing.`,
    );
  return noDaemon || isAsked ? 'process' : 'daemon';
}

async function help(
  { stdout, environment, manifest, manual: load }: CliParts,
  { command, family, isAll }: Extract<ParsedLine, { kind: 'help' }>,
): Promise<string> {
  const { generalHelp, familyHelp, commandHelp } = await import('./printing/help.ts');
  const manual = await load();
  const columns = stdout.isTTY === true ? widthOf(environment, stdout.columns) : 100;
  const style = {
    width: Math.min(Math.max(columns, 40), 110),
    colour: hasColour(environment, stdout.isTTY === true),
  };
  if (family !== undefined) return familyHelp(family, manifest, manual, style);
  if (command === undefined) return generalHelp(manifest, manual, style);
  const about = manual.commands[command.name];
  if (about === undefined) throw new Error(`The manual has no entry for ${command.name}.`);
  return commandHelp(command, about, style, isAll);
}
