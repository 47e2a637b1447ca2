import { DeskterityError } from '../../model/effects/errors.ts';
import type { EndWaits } from '../../ports/process.ts';
import { requireIdle } from './command-session.ts';
import type { SessionState } from './command-session.ts';
import type { HeldSession } from '../sessions/held/held-session.ts';
import { CLEAR_LINE } from './shell-integration.ts';
import { busyProcessStays, noSuchTerminal, processSurvives, terminalBusy } from '../failures.ts';
import { isWaiting } from '../sessions/held/terminal-look.ts';
import { watchOn } from '../sessions/held/steady-state.ts';
import type { Watched } from '../sessions/held/steady-state.ts';

/** For a shell to start, or to get its prompt ready. */
const READY_LIMIT_MS = 15_000;
/** A shell that asks for something before its prompt does so for that long. */
const ASKS_SPAN_MS = 400;
/** zsh loses a key that comes while it handles one. */
const PRESS_AGAIN_MS = 300;
const MOST_PRESSES = 8;
/** By then the hooks of a shell would have said that it is at its prompt. */
const SILENT_PRESSES = 3;
/** For the shell to notice that what it has waited for has ended. */
const NOTICE_MS = 400;
const MOST_ROUNDS = 4;
/** For the prompt to be drawn; some ask version control first. */
const PROMPT_LIMIT_MS = 300;
const INTERRUPT = '\u0003';
/** The normal screen with its cursor, and no reports of the mouse or of the focus. */
const OWN_SCREEN = ['1049l', '25h', '9l', '1000l', '1002l', '1003l', '1006l', '1004l', '1l']
  .map((mode) => `\u001B[?${mode}`)
  .join('');

/**
 * Brings the shell to an untouched prompt.
 * @param interrupt how what runs is ended, and what is typed there taken away; without it both are TERMINAL_BUSY
 * @returns false when it does not come to its first prompt
 * @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, ACTION_FAILED, CANCELLED
 */
export async function reachPrompt(
  session: HeldSession,
  interrupt: EndWaits | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { talk, clock, name } = session;
  const end = clock.now() + READY_LIMIT_MS;
  for (;;) {
    if (signal.aborted) throw cancelled();
    const { state } = talk;
    switch (state.kind) {
      case 'gone':
        throw noSuchTerminal(name);
      case 'idle':
        if (!state.isTouched && !talk.mayHaveLitter) {
          await promptIsShown(session);
          if (talk.state === state) return true;
          break;
        }
        if (interrupt === undefined) requireIdle(state, clock.now());
        if (!(await clearLine(session, signal))) throw busyProcessStays(name);
        break;
      case 'starting':
      case 'returning':
        if (clock.now() > end || !(await becomesReady(session, end - clock.now(), signal))) return false;
        break;
      default:
        if (interrupt === undefined) throw await busy(session, state);
        await endRunning(session, interrupt);
        if (isRunning(talk.state)) throw busyProcessStays(name);
    }
  }
}

/**
 * Ends what runs in the foreground, with all it has started. @returns how many processes there were; 1 for something that the shell itself did
 * @throws DeskterityError ACTION_FAILED when something is still there
 */
export async function endForeground(session: HeldSession, waits: EndWaits): Promise<number> {
  const wasRunning = isRunning(session.talk.state);
  const count = await endRunning(session, waits);
  const { state } = session.talk;
  if (wasRunning && isRunning(state)) {
    const { processes } = await session.pty.facts().catch(() => ({ processes: [] }));
    throw processSurvives(
      session.name,
      processes.map(({ pid }) => pid),
    );
  }
  return wasRunning ? Math.max(1, count) : count;
}

async function endRunning(session: HeldSession, waits: EndWaits): Promise<number> {
  const { talk, pty, type, over, display } = session;
  const count = await endSomehow({ talk, pty, type, over }, waits);
  if (talk.state.kind === 'gone' || isRunning(talk.state) || !display.isAlternate) return count;
  // What was killed could not give back the screen, and the prompt went with it.
  await display.redraw(() => OWN_SCREEN);
  await clearLine(session, over);
  return count;
}

async function endSomehow(
  { talk, pty, type, over }: Pick<HeldSession, 'talk' | 'pty' | 'type' | 'over'>,
  waits: EndWaits,
): Promise<number> {
  const since = talk.begunAt;
  let count = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    count += await pty.endForeground(waits, since);
    if (await talk.until((state) => !isRunning(state), NOTICE_MS, over)) return count;
    // It is the shell itself that runs, or it goes on with the next part of a list.
    talk.touch();
    type(INTERRUPT);
    if (await talk.until((state) => !isRunning(state), NOTICE_MS, over)) return count;
  }
  return count;
}

/** Takes away what is typed at the prompt. @returns whether it is empty */
async function clearLine(session: HeldSession, signal: AbortSignal): Promise<boolean> {
  const { talk, kind, type, look } = session;
  const isClean = (state: SessionState) => state.kind !== 'idle' || !state.isTouched;
  for (let presses = 1; presses <= MOST_PRESSES && !signal.aborted; presses += 1) {
    talk.touch();
    type(CLEAR_LINE[kind]);
    if (await talk.until(isClean, PRESS_AGAIN_MS, signal)) {
      talk.noteClean();
      return true;
    }
    // Somebody may have taken our hooks away: then the kernel has to say it.
    if (presses >= SILENT_PRESSES && (await look.once()).state === 'idle') talk.assumePrompt();
  }
  return false;
}

/** @returns false when it stands still before its prompt, or the time is up */
async function becomesReady(session: HeldSession, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const { talk, look } = session;
  const done = new AbortController();
  const either = AbortSignal.any([done.signal, signal]);
  try {
    const asks = look.until(isWaiting, ASKS_SPAN_MS, either).then((reading) => reading === undefined);
    const ready = talk.until(({ kind }) => kind !== 'starting' && kind !== 'returning', limitMs, either);
    return await Promise.race([ready, asks]);
  } finally {
    done.abort();
  }
}

/** The mark of a prompt comes before it: what is shown until a line is typed must not be taken for the echo of that. */
async function promptIsShown({ talk, look, clock }: HeldSession): Promise<void> {
  while (talk.promptAgeMs < PROMPT_LIMIT_MS) {
    const { state } = await look.once();
    // What the shell has written by now has to be read.
    await clock.sleep(1);
    if (state === 'idle') return;
  }
}

export function isRunning({ kind }: SessionState): boolean {
  return kind === 'running' || kind === 'typed';
}

async function busy(
  { name, look }: HeldSession,
  state: Extract<SessionState, { readonly kind: 'running' | 'typed' }>,
): Promise<DeskterityError> {
  const command = state.command?.text;
  const program = command === undefined ? (await look.once()).process?.program : undefined;
  return terminalBusy(name, { command, program });
}

function cancelled(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The command was not run: the call was cancelled before.', {
    suggestion: 'Run it again.',
    delivered: false,
  });
}

/** How long a shell stands at a prompt of which it says nothing before it is told where our hooks are. */
const SILENT_MS = { hooked: 1500, unhooked: 60 };
const PAUSE_MS = { first: 15, last: 100 };
/** A shell that takes longer asks for something, and a person has to look. */
const START_LIMIT_MS = 60_000;
/** The line may get lost in what the start files do. */
const MOST_LATE_LINES = 3;
const LATE_LINE_AGAIN_MS = 3000;

/** Tells a shell where our hooks are that has not read them by itself: one that is not made for that, or whose user's files came between. */
export async function helpStart({ talk, look, clock, start, type, over }: HeldSession): Promise<void> {
  const begun = clock.now();
  const spanMs = start.isHooked ? SILENT_MS.hooked : SILENT_MS.unhooked;
  let watched: Watched | undefined;
  let lines = 0;
  let nextLineMs = begun;
  const isStarted = ({ kind }: typeof talk.state) => kind !== 'starting';
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 1.3, PAUSE_MS.last)) {
    if (await talk.until(isStarted, pauseMs, over)) return;
    const now = clock.now();
    if (over.aborted || now - begun > START_LIMIT_MS) return;
    watched = watchOn(watched, await look.once(), now, spanMs);
    if (watched.steady?.state !== 'idle' || now < nextLineMs || lines === MOST_LATE_LINES) continue;
    type(start.lateLine);
    lines += 1;
    nextLineMs = now + LATE_LINE_AGAIN_MS;
  }
}
