import { DeskterityError } from '../../../model/effects/errors.ts';
import type { RunRequest } from '../../../ports/terminals.ts';
import { textOf } from '../../screen/clean-lines.ts';
import type { CommandOutcome } from '../../shells/command-session.ts';
import type { HeldSession } from './held-session.ts';
import { reachPrompt } from '../../shells/reach-prompt.ts';
import type { ShellDialogue } from '../../shells/shell-dialogue.ts';
import type { RunAnswer } from '../../../wire/terminal-protocol.ts';
import { isWaiting } from './terminal-look.ts';

/** A program that waits for somebody does so for that long; with a look it is told within half a second. */
const WAITING_SPAN_MS = 200;

export interface CommandEnd {
  readonly outcome: Omit<CommandOutcome, 'kind'> & { readonly kind: CommandOutcome['kind'] | 'waiting' };
}

type Outcome = CommandEnd['outcome'];
export type RanCommand = Omit<RunAnswer, 'facts' | 'leftOut'>;

const KINDS: Readonly<Record<Outcome['kind'], RunAnswer['kind']>> = {
  completed: 'completed',
  started: 'started',
  waiting: 'waiting',
  'timed-out': 'timed_out',
  'shell-ended': 'shell_ended',
  'not-begun': 'not_begun',
};

/** Runs a command in the shell of a terminal. @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT, ACTION_FAILED, CANCELLED */
export async function runCommand(
  session: HeldSession,
  dialogue: Pick<ShellDialogue, 'outputOf' | 'rangeOf'>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<RanCommand> {
  const { talk, display, clock } = session;
  const begun = clock.now();
  if (!(await reachPrompt(session, request.interrupt, signal))) return notReady(clock.now() - begun);
  if (request.clear) await display.clear();
  const typedMs = clock.now();
  const { isBackground, waitMs } = request;
  const done = new AbortController();
  let sequence = 0;
  const outcome = new Promise<Outcome>((resolve) => {
    sequence = talk.run(request.command, { isBackground, waitMs, isRemembered: false }, resolve);
  });
  const either = AbortSignal.any([done.signal, signal]);
  try {
    const ways = [outcome, cancelled(either)];
    if (!isBackground) ways.push(untilWaiting(session, sequence, typedMs, either));
    const first = await Promise.race(ways);
    await display.settled();
    return {
      kind: KINDS[first.kind],
      exitCode: first.exitCode,
      tail: tailOf(dialogue, sequence, request.lines),
      durationMs: Math.max(0, Math.round(first.durationMs)),
      range: dialogue.rangeOf(sequence),
    };
  } finally {
    talk.leave(sequence);
    done.abort();
  }
}

/** Resolves when the command stands still until somebody types; never where it does not. */
async function untilWaiting(
  { talk, look, clock }: HeldSession,
  sequence: number,
  typedMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const runs = () => talk.state.kind === 'running' && talk.state.command?.sequence === sequence;
  const reading = await look.until((found) => isWaiting(found) && runs(), WAITING_SPAN_MS, signal);
  if (reading === undefined) return new Promise(() => undefined);
  return { kind: 'waiting', sequence, durationMs: clock.now() - typedMs };
}

/** Rejects when the signal is aborted. */
function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(left());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** What is in memory, where that is all that was asked for. */
function tailOf(
  dialogue: Pick<ShellDialogue, 'outputOf'>,
  sequence: number,
  lines: number,
): RunAnswer['tail'] {
  const captured = dialogue.outputOf(sequence, lines);
  if (captured === undefined) return { text: '', omittedLines: 0 };
  if (captured.lines < lines && captured.omittedLines > 0) return undefined;
  return { text: textOf(captured.bytes), omittedLines: captured.omittedLines };
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

function left(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The wait for the command was cancelled; it goes on.', {
    suggestion: 'Look at it, or end it with kill.',
    delivered: true,
  });
}
