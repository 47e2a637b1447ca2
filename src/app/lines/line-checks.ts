import type { Configuration } from '../../model/configuration/config.ts';
import type { DoctorCheck } from '../../model/effects/doctor.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { CHECK } from '../../model/tools/operation.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { TrialFailure, Trials } from '../../engine/doctor/trials.ts';
import type { Trial } from '../../engine/doctor/trials.ts';
import { plainSandbox } from '../../registry/operation-parts.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { OperationsPort } from '../../ports/operations.ts';
import type { RunsPort } from '../../ports/runs.ts';
import type { SandboxFinding, SandboxLevel, SandboxPort } from '../../ports/sandbox.ts';
import type { ToolFileFacts, ToolsPort } from '../../ports/tools.ts';
import type { Caller } from '../../model/sessions/caller.ts';
import { confinedBy } from './confine.ts';
import { meansHere } from './sandbox-means.ts';
import { tryApplication, tryShell, tryTerminal, tryTerminalLog } from '../terminals/terminal-checks.ts';
import type { TerminalCheckParts } from '../terminals/terminal-checks.ts';

export interface LineCheckParts {
  readonly caller: Caller;
  readonly configuration: Configuration;
  readonly clock: ClockPort;
  readonly sandbox: () => Promise<SandboxPort>;
  readonly runs: () => Promise<RunsPort>;
  readonly operations: () => Promise<OperationsPort>;
  readonly tools: () => Promise<ToolsPort>;
  /** Resident memory of a process; `undefined` when it is gone. */
  readonly memoryOf: (pid: number) => Promise<number | undefined>;
  readonly terminal: Omit<TerminalCheckParts, 'clock' | 'memoryOf' | 'environment' | 'app' | 'logLevel'>;
}

export interface LineCheckRequest extends CallOptions {
  /** Told what is tried next. */
  readonly onTrial?: ((name: string) => void) | undefined;
}

/** The desktop can be worked without command-line tools. */
const OPTIONAL = { isOptional: true };
const SAID = 'deskterity';
/** For the command of the trial; starting its keeper comes before that. */
const COMMAND_MS = 5000;
/** For each trial, on a machine that does much else. */
const LIMIT_MS = 12_000;
const MOST_NAMED = 5;
const LONGEST_SHOWN = 40;

const OPEN_WITH_LANDLOCK =
  'Stays open: chmod, chown, times and stat of files outside that you own, command lines of other processes, and how much processor, memory and disk it uses.';
const OPEN_WITH_BUBBLEWRAP = 'Stays open: how much processor, memory and disk it uses.';

/**
 * Tries what command-line tools and terminals need: a sandbox that holds, an operation that runs in it, tool files, and a command in a terminal.
 * @throws Error when the caller cancelled
 */
export async function checkCommandLine(
  parts: LineCheckParts,
  request: LineCheckRequest,
): Promise<readonly DoctorCheck[]> {
  const { clock } = parts;
  const left = liveDeadline(request, () => clock.now());
  const trials = new Trials(clock, left);
  const attempt: Attempt = (name, work) =>
    trials.run(
      name,
      (trial) => inTime(work(parts, trial), { ...left, signal: trial.signal }, clock),
      OPTIONAL,
    );
  await attempt('sandbox', trySandbox);
  if (await attempt('operations', tryOperation)) await attempt('tools', tryTools);
  else trials.skip(['tools'], 'Nothing could be run to see what is installed.', OPTIONAL);
  await tryTerminals(parts, attempt, trials);
  return trials.checks;
}

type Attempt = (
  name: string,
  work: (parts: LineCheckParts, trial: Trial) => Promise<string>,
) => Promise<boolean>;

async function tryTerminals(parts: LineCheckParts, attempt: Attempt, trials: Trials): Promise<void> {
  const { caller, configuration, clock, memoryOf } = parts;
  const terminal: TerminalCheckParts = {
    ...parts.terminal,
    clock,
    memoryOf,
    environment: caller.environment,
    app: configuration.terminal.app,
    logLevel: configuration.terminal.log_level,
  };
  if (await attempt('login-shell', (_, trial) => tryShell(terminal, trial)))
    await attempt('terminals', (_, trial) => tryTerminal(terminal, trial));
  else trials.skip(['terminals'], 'There is no shell to run in one.', OPTIONAL);
  await attempt('terminal-application', (_, trial) => tryApplication(terminal, trial));
  await attempt('terminal-log', (_, trial) => tryTerminalLog(terminal, trial));
}

/** What is not there in time does not work, whatever it still does. */
async function inTime<T>(
  work: Promise<T>,
  { deadlineMs, signal }: CallOptions,
  clock: ClockPort,
): Promise<T> {
  const over = new AbortController();
  const limitMs = Math.min(LIMIT_MS, deadlineMs);
  const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  const overdue = clock.sleep(limitMs, ends).then(() => {
    throw new TrialFailure('broken', `There was no answer within ${Math.round(limitMs / 100) / 10} seconds.`);
  });
  overdue.catch(() => undefined);
  try {
    return await Promise.race([work, overdue]);
  } finally {
    over.abort();
  }
}

async function trySandbox({ caller, configuration, sandbox }: LineCheckParts, trial: Trial): Promise<string> {
  const asked = confinedBy(caller, configuration);
  if (asked === 'none')
    throw new TrialFailure(
      'refused',
      'It is switched off: commands can do everything that you can.',
      'Leave out --no-sandbox and AHMA_NO_SANDBOX, and set sandbox.mode to "auto".',
    );
  trial.step('start a confined program that tries what it must not do');
  const level = await (await sandbox()).level();
  const by = meansHere(level, { asked, isOpen: configuration.sandbox.mode === 'auto' });
  const nested = level.isNested ? ' Deskterity itself runs in the sandbox of another program.' : '';
  if (!level[by].works) throw notConfined(by, level, nested);
  return by === 'landlock'
    ? `Landlock ABI ${level.landlockAbi ?? 'unknown'}, a filter of system calls, ${capabilities(level)}: a program in it could not read, write or create files outside, open a socket, or signal what started it. ${bubblewrapToo(level.bubblewrap)} ${OPEN_WITH_LANDLOCK}${nested}`
    : `bubblewrap (${level.bubblewrap.path ?? 'installed'}) starts a program in namespaces of its own.${by === asked ? '' : ` It is used as Landlock does not work. ${level.landlock.reason ?? ''}`} ${OPEN_WITH_BUBBLEWRAP}${nested}`;
}

function notConfined(by: 'landlock' | 'bubblewrap', level: SandboxLevel, nested: string): TrialFailure {
  const other = by === 'landlock' ? level.bubblewrap : level.landlock;
  const instead =
    by === 'landlock'
      ? 'bubblewrap works here: set sandbox.mode to "bubblewrap".'
      : 'Landlock works here: set sandbox.mode to "auto".';
  const ways = [other.works ? instead : undefined, level[by].instruction];
  return new TrialFailure(
    'refused',
    `Nothing is run without a sandbox. ${level[by].reason ?? 'It does not work.'}${nested}`,
    ways.filter((way) => way !== undefined).join(' Or: '),
  );
}

function capabilities({ capabilities: held }: SandboxLevel): string {
  return held.length === 0 ? 'no capabilities' : `no capabilities but ${held.join(' and ')}`;
}

function bubblewrapToo({ works, reason }: SandboxFinding): string {
  return works ? 'bubblewrap works too.' : (reason ?? 'bubblewrap does not work.');
}

/** Through all of it: the process that holds operations, a worker of it, the output on disk. */
async function tryOperation(parts: LineCheckParts, trial: Trial): Promise<string> {
  trial.step('find the folder that commands are confined to');
  const runs = await parts.runs();
  trial.step('start a command');
  const operations = await parts.operations();
  const { operation_id: id, holder } = await runs.start({
    tool: CHECK,
    steps: [
      {
        command: ['/bin/sh', '-c', `echo ${SAID}`],
        cwd: runs.scope,
        delayMs: 0,
        sandbox: plainSandbox(runs.scope),
      },
    ],
    timeoutMs: COMMAND_MS,
  });
  trial.step('wait for its end');
  const { status, exit_code: code } = await operations.wait(id, {
    timeoutMs: COMMAND_MS,
    signal: trial.signal ?? new AbortController().signal,
  });
  if (status !== 'succeeded')
    throw new TrialFailure(
      'broken',
      `It ${status.replace('_', ' ')}${code === undefined ? '' : ` with exit code ${code}`}.`,
      `See "desk operation output ${id}".`,
    );
  trial.step('read what it wrote');
  const { text } = await operations.read(id, { cursor: 0, maxTokens: 500 });
  if (text.trim() !== SAID)
    throw new TrialFailure(
      'broken',
      `It wrote ${quote(SAID)}, and ${quote(clip(text, LONGEST_SHOWN))} was read.`,
    );
  const bytes = await parts.memoryOf(holder.pid);
  const size = bytes === undefined ? '' : `, ${Math.round(bytes / 1024 / 1024)} MiB`;
  return `A command ran in ${quote(runs.scope)}, and its output was read. Process ${holder.pid}${size} holds the operations of this folder, also when the daemon ends.`;
}

async function tryTools({ tools }: LineCheckParts, trial: Trial): Promise<string> {
  trial.step('read the tool files');
  const { files, problems } = await (await tools()).list();
  const own = files.filter(({ origin }) => origin !== 'ready');
  const invalid = own.filter(({ state }) => state === 'invalid');
  if (invalid.length > 0 || problems.length > 0)
    throw new TrialFailure(
      'broken',
      [...invalid.map(firstProblem), ...problems].slice(0, MOST_NAMED).join(' '),
      'Run "desk tools validate" with the file to see all that is wrong.',
    );
  const untrusted = own.filter(({ state }) => state === 'untrusted');
  if (untrusted.length > 0) {
    const isOne = untrusted.length === 1;
    throw new TrialFailure(
      'refused',
      `${named(untrusted.map(({ path }) => quote(path)))} ${isOne ? 'is' : 'are'} not trusted${untrusted.some(({ hasChanged }) => hasChanged) ? ' with what is in it now' : ''}, so nothing of ${isOne ? 'it' : 'them'} runs.`,
      'Read it, then run "desk tools trust FILE".',
    );
  }
  const ready = files.flatMap((file) => file.tools).filter(({ state }) => state === 'ready');
  const missing = files.filter((file) => file.state === 'unavailable').map(({ name }) => name);
  const notHere = missing.length === 0 ? '' : ` Not installed: ${named(missing)}.`;
  return `${count(files.length, 'tool file')} with ${count(ready.length, 'tool')} that can be run.${notHere}`;
}

function firstProblem({ path, problems: [first] }: ToolFileFacts): string {
  return `${quote(path)}: ${first === undefined ? 'it is not valid' : `line ${first.line}, ${first.message}`}`;
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}
