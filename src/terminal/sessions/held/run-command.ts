import { DeskterityError } from '../../../model/effects/errors.ts';
import type { RunRequest } from '../../../ports/terminals.ts';
import { textOf } from './shown-bytes.ts';
import type { CommandOutcome } from '../../shells/command-session.ts';
import type { HeldSession } from './held-session.ts';
import { reachPrompt } from '../../shells/reach-prompt.ts';
import type { ShellProtocol } from '../../shells/shell-protocol.ts';
import type { RunAnswer } from '../../../wire/terminal-protocol.ts';
import { isWaiting, waitingSpanMs } from './state-sampler.ts';
import type { WaitReading } from './wait-state.ts';

type Outcome = Omit<CommandOutcome, 'kind'> & {
  readonly kind: CommandOutcome['kind'] | 'waiting';
  /** The state that makes it `waiting`. */
  readonly reading?: WaitReading;
};
type RanCommand = Omit<RunAnswer, 'facts' | 'leftOut'> & Pick<Outcome, 'reading'>;

/** Runs a command in the shell of a terminal. @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT, ACTION_FAILED, CANCELLED */
export async function runCommand(
  session: HeldSession,
  protocol: Pick<ShellProtocol, 'outputOf' | 'rangeOf'>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<RanCommand> {
  const { driver, display, clock } = session;
  const begun = clock.now();
  if (!(await reachPrompt(session, request.interrupt, signal))) return notReady(clock.now() - begun);
  if (request.clear) await display.clear();
  const typedMs = clock.now();
  const { isBackground, waitMs } = request;
  const done = new AbortController();
  let sequence = 0;
  const outcome = new Promise<Outcome>((resolve) => {
    sequence = driver.run(request.command, { isBackground, waitMs }, resolve);
  });
  const either = AbortSignal.any([done.signal, signal]);
  try {
    const ways = [outcome, cancelled(either)];
    if (!isBackground) ways.push(untilWaiting(session, sequence, typedMs, either));
    const first = await Promise.race(ways);
    await display.settled();
    return {
      kind: first.kind,
      exitCode: first.exitCode,
      tail: tailOf(protocol, sequence, request.lines),
      durationMs: Math.max(0, Math.round(first.durationMs)),
      range: protocol.rangeOf(sequence),
      ...(first.reading === undefined ? {} : { reading: first.reading }),
    };
  } finally {
    driver.leave(sequence);
    done.abort();
  }
}

/** Resolves when the command waits for input; otherwise never. */
async function untilWaiting(
  { driver, sampler, clock }: HeldSession,
  sequence: number,
  typedMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const runs = () => driver.state.kind === 'running' && driver.state.command?.sequence === sequence;
  const reading = await sampler.until((found) => isWaiting(found) && runs(), waitingSpanMs, signal);
  if (reading === undefined) return new Promise(() => undefined);
  return { kind: 'waiting', sequence, durationMs: clock.now() - typedMs, reading };
}

/** Rejects when the signal is aborted. */
function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(cancelledError());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** The output in memory, if it covers the requested lines. */
function tailOf(
  protocol: Pick<ShellProtocol, 'outputOf'>,
  sequence: number,
  lines: number,
): RunAnswer['tail'] {
  const captured = protocol.outputOf(sequence, lines);
  if (captured === undefined) return { text: '', omittedLines: 0 };
  if (captured.lines < lines && captured.omittedLines > 0) return undefined;
  const { isCut, omittedLines } = captured;
  return { text: textOf(captured.bytes), omittedLines, ...(isCut ? { isCut } : {}) };
}

function notReady(durationMs: number): RanCommand {
  const tail = { text: '', omittedLines: 0 };
  return {
    kind: 'not_begun',
    exitCode: undefined,
    tail,
    durationMs: Math.round(durationMs),
    range: undefined,
  };
}

function cancelledError(): DeskterityError {
  return new DeskterityError('CANCELLED', 'Waiting for the command was cancelled; it continues.', {
    suggestion: 'Read its output or end it with kill.',
    delivered: true,
  });
}
