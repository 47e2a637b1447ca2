import type { DoctorCheck } from '../model/effects/doctor.ts';
import { liveDeadline } from '../model/live-deadline.ts';
import { Trials } from '../engine/doctor/trials.ts';
import { TrialFailure } from '../model/effects/trial.ts';
import type { Trial } from '../model/effects/trial.ts';
import { tryOperation, trySandbox } from '../operations/operation-checks.ts';
import type { OperationCheckParts } from '../operations/operation-checks.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions } from '../ports/desktop.ts';
import type { ToolsPort } from '../ports/tools.ts';
import { tryTools } from '../toolfiles/tool-checks.ts';
import { tryApplication, tryShell, tryTerminal, tryTerminalLog } from '../terminal/doctor/terminal-checks.ts';
import type { TerminalCheckParts } from '../terminal/doctor/terminal-checks.ts';

export interface LineCheckParts extends OperationCheckParts {
  readonly clock: ClockPort;
  readonly tools: () => Promise<ToolsPort>;
  readonly terminal: Omit<TerminalCheckParts, 'clock' | 'memoryOf' | 'environment' | 'app' | 'logLevel'>;
}

export interface LineCheckRequest extends CallOptions {
  /** Told what is tried next. */
  readonly onTrial?: ((name: string) => void) | undefined;
}

/** The desktop can be worked without command-line tools. */
const OPTIONAL = { isOptional: true };
/** For each trial, on a machine that does much else. */
const LIMIT_MS = 12_000;

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
  if (await attempt('operations', tryOperation))
    await attempt('tools', ({ tools }, trial) => tryTools(tools, trial));
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
