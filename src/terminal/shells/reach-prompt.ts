import { DeskterityError } from '../../model/effects/errors.ts';
import type { EndWaits } from '../../ports/process.ts';
import { isRunning, requireIdle, type SessionState } from './command-session.ts';
import type { HeldSession } from '../sessions/held/held-session.ts';
import { CLEAR_LINE } from './shell-integration.ts';
import {
  busyProcessStays,
  noSuchTerminal,
  processSurvives,
  shellReplaced,
  terminalBusy,
} from '../failures.ts';
import { shellKindOf } from './shell-kind.ts';
import { isWaiting } from '../sessions/held/state-sampler.ts';
import { addReading, type ObservedState } from '../sessions/held/steady-state.ts';

/** For a shell to start or to prepare its prompt. */
const READY_LIMIT_MS = 15_000;
/** A shell that waits for input before its prompt must do so for this time. */
const ASKS_SPAN_MS = 400;
/** zsh loses a key that arrives while it handles another. */
const PRESS_AGAIN_MS = 300;
const MAX_PRESSES = 8;
/** Working hooks would have reported the prompt by then. */
const SILENT_PRESSES = 3;
/** For the shell to notice the end of its child. */
const NOTICE_MS = 400;
const MAX_ROUNDS = 4;
/** For another shell to load our hooks. */
const REPLACED_LIMIT_MS = 3000;
/** For the prompt to be drawn; some query version control first. */
const PROMPT_LIMIT_MS = 300;
const INTERRUPT = '\u0003';
/** Restores the normal screen and the cursor, and turns off mouse and focus reports. */
const NORMAL_SCREEN = ['1049l', '25h', '9l', '1000l', '1002l', '1003l', '1006l', '1004l', '1l']
  .map((mode) => `\u001B[?${mode}`)
  .join('');

/**
 * Brings the shell to an empty prompt.
 * @param interrupt waits for ending a running command; also clears a typed line. Without it both are TERMINAL_BUSY
 * @returns false if the shell does not reach its prompt
 * @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, ACTION_FAILED, CANCELLED
 */
export async function reachPrompt(
  session: HeldSession,
  interrupt: EndWaits | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { driver, clock, name } = session;
  const end = clock.now() + READY_LIMIT_MS;
  for (;;) {
    if (signal.aborted) throw cancelled();
    const { state } = driver;
    switch (state.kind) {
      case 'gone':
        throw noSuchTerminal(name);
      case 'idle':
        if (!state.isTouched && !driver.mayHaveStrayInput) {
          await untilPromptIsShown(session);
          // A reply to a query is typed once the screen shows the query, which may be after the command has ended.
          if (driver.state === state && isLineEmpty(driver)) return true;
          break;
        }
        if (interrupt === undefined) requireIdle(state, clock.now());
        if (!(await clearLine(session, signal))) throw busyProcessStays(name);
        break;
      case 'starting':
      case 'returning':
        if (clock.now() > end || !(await waitForPrompt(session, end - clock.now(), signal))) return false;
        break;
      default:
        if (interrupt === undefined) throw await busy(session, state);
        await endRunning(session, interrupt);
        if (isRunning(driver.state)) throw busyProcessStays(name);
    }
  }
}

function isLineEmpty({ mayHaveStrayInput }: HeldSession['driver']): boolean {
  return !mayHaveStrayInput;
}

/**
 * Ends the foreground command and everything it started. @returns the number of processes; 1 for a builtin of the shell
 * @throws DeskterityError ACTION_FAILED if a process survives
 */
export async function endForeground(session: HeldSession, waits: EndWaits): Promise<number> {
  const wasRunning = isRunning(session.driver.state);
  const count = await endRunning(session, waits);
  const { state } = session.driver;
  if (wasRunning && isRunning(state)) {
    const { processes } = await session.pty.facts().catch(() => ({ processes: [] }));
    const replacing = processes.find(({ pid }) => pid === session.shellPid());
    if (replacing !== undefined) throw shellReplaced(session.name, replacing.program);
    throw processSurvives(
      session.name,
      processes.map(({ pid }) => pid),
    );
  }
  return wasRunning ? Math.max(1, count) : count;
}

async function endRunning(session: HeldSession, waits: EndWaits): Promise<number> {
  const { driver, pty, type, over, display } = session;
  const count = await endWithSignals({ driver, pty, type, over }, waits);
  if (isRunning(driver.state)) await followReplaced(session);
  if (driver.state.kind === 'gone' || isRunning(driver.state) || !display.isAlternate) return count;
  // The killed program could not restore the screen, and the prompt was on the other one.
  await display.redraw(() => NORMAL_SCREEN);
  await clearLine(session, over);
  return count;
}

/** After `exec bash` another shell reads commands in place of the first one, and prints no marks. Ctrl-c has ended anything else that reads keys. */
async function followReplaced({ sampler, driver, start, kind, over, shellPid }: HeldSession): Promise<void> {
  const { state, process } = await sampler.once();
  const isReading = state === 'waiting_for_line' && process?.pid === shellPid();
  if (isReading && shellKindOf(process.program) === kind)
    await driver.followReplaced(start, REPLACED_LIMIT_MS, over);
}

async function endWithSignals(
  { driver, pty, type, over }: Pick<HeldSession, 'driver' | 'pty' | 'type' | 'over'>,
  waits: EndWaits,
): Promise<number> {
  const since = driver.notBegunBefore;
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    count += await pty.endForeground(waits, since);
    if (await driver.until((state) => !isRunning(state), NOTICE_MS, over)) return count;
    // A builtin is running, or the shell continues with the next command of a list.
    driver.touch();
    type(INTERRUPT);
    if (await driver.until((state) => !isRunning(state), NOTICE_MS, over)) return count;
  }
  return count;
}

/** Clears the line at the prompt. @returns whether it is empty */
async function clearLine(session: HeldSession, signal: AbortSignal): Promise<boolean> {
  const { driver, kind, type, sampler } = session;
  const isClean = (state: SessionState) => state.kind !== 'idle' || !state.isTouched;
  for (let presses = 1; presses <= MAX_PRESSES && !signal.aborted; presses += 1) {
    driver.touch();
    type(CLEAR_LINE[kind]);
    if (await driver.until(isClean, PRESS_AGAIN_MS, signal)) {
      driver.noteEmptyLine();
      return true;
    }
    // The user may have removed our hooks; then the kernel's facts decide.
    if (presses >= SILENT_PRESSES && (await sampler.once()).state === 'idle') driver.assumePrompt();
  }
  return false;
}

/** @returns false if the shell waits for input before its prompt, or on timeout */
async function waitForPrompt(session: HeldSession, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const { driver, sampler } = session;
  const done = new AbortController();
  const either = AbortSignal.any([done.signal, signal]);
  try {
    const asks = sampler
      .until(isWaiting, () => ASKS_SPAN_MS, either)
      .then((reading) => reading === undefined);
    const ready = driver.until(({ kind }) => kind !== 'starting' && kind !== 'returning', limitMs, either);
    return await Promise.race([ready, asks]);
  } finally {
    done.abort();
  }
}

/** The mark comes before the prompt text, which must not be mistaken for the echo of our line. */
async function untilPromptIsShown({ driver, sampler, clock }: HeldSession): Promise<void> {
  while (driver.promptAgeMs < PROMPT_LIMIT_MS) {
    const { state } = await sampler.once();
    // Lets pending output of the shell be read.
    await clock.sleep(1);
    if (state === 'idle') return;
  }
}

async function busy(
  { name, sampler }: HeldSession,
  state: Extract<SessionState, { readonly kind: 'running' | 'typed' }>,
): Promise<DeskterityError> {
  const command = state.command?.text;
  const program = command === undefined ? (await sampler.once()).process?.program : undefined;
  return terminalBusy(name, { command, program });
}

function cancelled(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The call was cancelled before the command was run.', {
    suggestion: 'Run it again.',
    delivered: false,
  });
}

/** How long a shell must be at a prompt without a mark before our hooks are loaded by a typed line. */
const SILENT_MS = { hooked: 1500, unhooked: 60 };
const PAUSE_MS = { first: 15, last: 100 };
/** A shell that takes longer needs a person. */
const START_LIMIT_MS = 60_000;
/** The start files may swallow the line. */
const MAX_LATE_LINES = 3;
const LATE_LINE_AGAIN_MS = 3000;

/** Types the line that loads our hooks if the shell has not read them: POSIX shells cannot, and start files may prevent it. */
export async function loadHooksLate({
  driver,
  sampler,
  clock,
  start,
  type,
  over,
}: HeldSession): Promise<void> {
  const begun = clock.now();
  const spanMs = start.isHooked ? SILENT_MS.hooked : SILENT_MS.unhooked;
  let watched: ObservedState | undefined;
  let lines = 0;
  let nextLineMs = begun;
  const isStarted = ({ kind }: typeof driver.state) => kind !== 'starting';
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 1.3, PAUSE_MS.last)) {
    if (await driver.until(isStarted, pauseMs, over)) return;
    const now = clock.now();
    if (over.aborted || now - begun > START_LIMIT_MS) return;
    watched = addReading(watched, await sampler.once(), now, spanMs);
    if (watched.steady?.state !== 'idle' || now < nextLineMs || lines === MAX_LATE_LINES) continue;
    type(start.lateLine);
    lines += 1;
    nextLineMs = now + LATE_LINE_AGAIN_MS;
  }
}
