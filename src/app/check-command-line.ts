import type { DoctorCheck } from '../model/effects/doctor.ts';
import { liveDeadline } from '../model/live-deadline.ts';
import { Trials } from '../engine/doctor/trials.ts';
import { TrialFailure, type Trial } from '../model/effects/trial.ts';
import { tryOperation, trySandbox, type OperationCheckParts } from '../operations/operation-checks.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { ToolsPort } from '../ports/tools.ts';
import { tryTools } from '../toolfiles/tool-checks.ts';
import { tryApplication, tryShell, tryTerminal, tryTerminalLog } from '../terminal/doctor/terminal-checks.ts';
import type { TerminalCheckParts } from '../terminal/doctor/terminal-checks.ts';

export interface CommandLineCheckParts extends OperationCheckParts {
  readonly clock: ClockPort;
  readonly tools: () => Promise<ToolsPort>;
  readonly terminal: Omit<TerminalCheckParts, 'clock' | 'memoryOf' | 'environment' | 'app' | 'logLevel'>;
}

export interface CommandLineCheckRequest extends CallOptions {
  /** Called with the name of the next trial. */
  readonly onTrial?: ((name: string) => void) | undefined;
}

/** Desktop commands do not need command-line tools. */
const OPTIONAL = { isOptional: true };
/** For each trial, on a busy machine. */
const LIMIT_MS = 12_000;

/**
 * Tries what command-line tools and terminals need: a working sandbox, an operation inside it, tool files, and a command in a terminal.
 * @throws Error if the caller cancels
 */
export async function checkCommandLine(
  parts: CommandLineCheckParts,
  request: CommandLineCheckRequest,
): Promise<readonly DoctorCheck[]> {
  const { clock } = parts;
  const limits = liveDeadline(request, clock);
  const trials = new Trials(clock, limits);
  const attempt: Attempt = (name, work) =>
    trials.run(
      name,
      (trial) => inTime(work(parts, trial), { ...limits, signal: trial.signal }, clock),
      OPTIONAL,
    );
  await attempt('sandbox', trySandbox);
  if (await attempt('operations', tryOperation))
    await attempt('tools', ({ tools }, trial) => tryTools(tools, trial));
  else trials.skip(['tools'], 'No operation could be run, so installed tools are unknown.', OPTIONAL);
  await tryTerminals(parts, attempt, trials);
  return trials.checks;
}

type Attempt = (
  name: string,
  work: (parts: CommandLineCheckParts, trial: Trial) => Promise<string>,
) => Promise<boolean>;

async function tryTerminals(parts: CommandLineCheckParts, attempt: Attempt, trials: Trials): Promise<void> {
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
  else trials.skip(['terminals'], 'There is no shell to run in a terminal.', OPTIONAL);
  await attempt('terminal-application', (_, trial) => tryApplication(terminal, trial));
  await attempt('terminal-log', (_, trial) => tryTerminalLog(terminal, trial));
}

/** A trial without a result in time counts as broken. */
async function inTime<T>(
  work: Promise<T>,
  { deadlineMs, signal }: CallOptions,
  clock: ClockPort,
): Promise<T> {
  const over = new AbortController();
  const limitMs = Math.min(LIMIT_MS, deadlineMs);
  const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  const overdue = clock.sleep(limitMs, ends).then(() => {
    throw new TrialFailure('broken', `No answer within ${Math.round(limitMs / 100) / 10} seconds.`);
  });
  overdue.catch(() => undefined);
  try {
    return await Promise.race([work, overdue]);
  } finally {
    over.abort();
  }
}
