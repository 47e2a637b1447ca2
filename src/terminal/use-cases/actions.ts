import { mentionParameter } from '../../model/text/mention.ts';
import type { TerminalOutcome } from '../../model/terminals/terminal-answer.ts';
import type {
  ExecuteRequest,
  KillRequest,
  ResizeRequest,
  SendRequest,
  SessionRequest,
} from '../../model/terminals/terminal-requests.ts';
import type { TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import { parseKeyCombination } from '../../model/text/key-combination.ts';
import type { RunOutcome, TerminalReading, TerminalView } from '../../ports/terminals.ts';
import { commandNotBegun, undefinedIfNotFound } from '../failures.ts';
import { keyBytes, typedBytes } from '../screen/key-bytes.ts';
import type { TerminalShowing } from '../windows/terminal-windows.ts';
import { focusIfRequested, type TerminalContext } from './context.ts';
import {
  actionCompleted,
  completed,
  done,
  lost,
  sent,
  started,
  timedOut,
  waiting,
  withData,
  withRemarks,
} from './outcomes.ts';
import type { CommandOutcome } from './outcomes.ts';
import { outcomeOf, textOfRows } from './reads.ts';
import {
  invalid,
  openTerminal,
  requireTerminal,
  requireTerminalOrRemains,
  withTerminal,
} from './session-of-request.ts';

const TYPE_MS = 10_000;
/** Programs usually show the effect of a key within this time. */
const ANSWER_MS = 1000;
const QUIET_MS = 80;
/** Lines of the normal screen reported after a full-screen program. */
const LINES_AFTER_FULL_SCREEN = 5;

/** Runs a command; without one, starts the session. */
export async function execute(context: TerminalContext, request: ExecuteRequest): Promise<TerminalOutcome> {
  const { port, settings, signal } = context;
  const { command, clear, interrupt, background = settings.background, lines = settings.lines } = request;
  const seconds =
    request.timeout_seconds ??
    (background ? settings.backgroundStartupSeconds : settings.foregroundCompletionSeconds);
  return withTerminal(
    (isConfined) => openTerminal(context, isConfined ? { ...request, confined: true } : request),
    async (terminal) => {
      const remarks = [
        ...(await focusIfRequested(context, terminal, request)),
        // The user may have turned the sandbox off, which must be visible.
        ...(request.confined && !terminal.isConfined ? ['NOT CONFINED: the sandbox is off.'] : []),
      ];
      if (command === '') {
        if (clear) await port.clear(terminal.id);
        return withRemarks(done('execute', terminal.name), remarks);
      }
      const outcome = await port.run(
        terminal.id,
        {
          command,
          isBackground: background,
          waitMs: seconds * 1000,
          lines,
          interrupt: interrupt ? settings.waits : undefined,
          clear,
        },
        signal,
      );
      const seen = ranOutcome(await withScreen(context, outcome, lines), seconds);
      return withRemarks(withData(seen, { is_confined: outcome.terminal.isConfined }), [
        ...remarks,
        ...(isShellGone(outcome) && terminal.isConfined ? [SANDBOX_ENDED] : []),
      ]);
    },
  );
}

/** Types text, then presses keys. */
export async function send(context: TerminalContext, request: SendRequest): Promise<TerminalOutcome> {
  const { port, settings, signal } = context;
  const { text = '', keys = '', lines = settings.lines } = request;
  const combinations = keys.split(/\s+/).filter((name) => name !== '');
  const parsed = combinations.map((name) => parseKeyCombination(name));
  if (text === '' && parsed.length === 0)
    throw invalid(
      "There is nothing to send: 'text' and 'keys' are both missing.",
      'Pass text to type, or keys such as "Enter" or "ctrl+c"; with both, the text is typed first.',
    );
  const { id, name } = await requireTerminal(context, request);
  const view = await port.view(id);
  const { screen } = await view.read({ scrollbackLines: 0, deadlineMs: TYPE_MS, signal });
  const bytes = Buffer.concat([typedBytes(text), ...parsed.map((key) => keyBytes(key, screen.modes))]);
  await typeAndSettle(view, bytes, signal);
  // The input may have ended the shell.
  const terminal = await port.facts(id).catch(undefinedIfNotFound);
  if (terminal === undefined) return done('send', name);
  const after = await view.read({ scrollbackLines: lines, deadlineMs: TYPE_MS, signal });
  return sent({ ...outcomeOf(terminal), output: sinceThen(screen, after, lines) });
}

/** Ends the foreground command. */
export async function kill(context: TerminalContext, request: KillRequest): Promise<TerminalOutcome> {
  const { port, settings } = context;
  const terminal = await requireTerminal(context, request);
  const remarks = await focusIfRequested(context, terminal, request);
  const count = await port.kill(terminal.id, settings.waits);
  if (request.clear) await port.clear(terminal.id);
  if (count > 0) return withRemarks(done('kill', terminal.name), remarks);
  const idle = done('kill', terminal.name, actionCompleted('kill', terminal.name));
  return withRemarks(idle, ['Nothing was running.', ...remarks]);
}

export async function resize(context: TerminalContext, request: ResizeRequest): Promise<TerminalOutcome> {
  const { port, signal } = context;
  if (request.columns === undefined && request.rows === undefined)
    throw invalid("'columns' and 'rows' are both missing.", 'Pass one of them or both.');
  const { id, size, name } = await requireTerminal(context, request);
  const wanted = { columns: request.columns ?? size.columns, rows: request.rows ?? size.rows };
  await (await port.view(id)).resize(wanted, { deadlineMs: TYPE_MS, signal });
  const { size: now } = await port.facts(id);
  return withRemarks(done('resize', name), [`The size is now ${now.columns}x${now.rows}.`]);
}

/** Ends the session. */
export async function close(context: TerminalContext, request: SessionRequest): Promise<TerminalOutcome> {
  const { id, name } = await requireTerminalOrRemains(context, request);
  await context.port.close(id, context.settings.waits);
  return done('close', name);
}

/** Shows the session: in front, or in a window without the focus. */
function showing(action: 'focus' | 'attach') {
  return async (context: TerminalContext, request: SessionRequest): Promise<TerminalOutcome> => {
    const terminal = await requireTerminal(context, request);
    if (context.isTrial === true) {
      await context.windows.requireShowing(terminal);
      return done(action, terminal.name);
    }
    const shown = await context.windows[action](terminal, context.signal);
    return withRemarks(done(action, terminal.name), [inWords(shown)]);
  };
}

export const focus = showing('focus');
export const attach = showing('attach');

function inWords({ application, via, evidence }: TerminalShowing): string {
  const who = application === undefined ? [] : [`Shown by ${application}.`];
  return [...who, `Via ${via}: ${evidence.join('; ')}.`].join(' ');
}

/** For a full-screen program, replaces the raw output by the text on the screen. */
async function withScreen(
  { port, signal }: TerminalContext,
  outcome: RunOutcome,
  lines: number,
): Promise<RunOutcome> {
  if (outcome.terminal.state !== 'full_screen' || outcome.kind === 'completed') return outcome;
  const view = await port.view(outcome.terminal.id).catch(undefinedIfNotFound);
  const reading = await view
    ?.read({ scrollbackLines: 0, deadlineMs: TYPE_MS, signal })
    .catch(undefinedIfNotFound);
  if (reading === undefined) return outcome;
  return { ...outcome, output: lastOf(textOfRows(reading.screen.rows), lines), leftOut: [] };
}

function ranOutcome(outcome: RunOutcome, seconds: number): TerminalOutcome {
  const { terminal, output, exitCode, leftOut } = outcome;
  const result: CommandOutcome = { ...outcomeOf(terminal), output, exitCode, leftOut };
  switch (outcome.kind) {
    case 'started':
      return started(result);
    case 'waiting':
      return waiting(result);
    case 'timed_out':
      return timedOut(result, seconds);
    case 'lost':
      return lost(result, 'the process that kept the session was killed after the command was sent');
    case 'not_begun':
      throw commandNotBegun(terminal.name);
    case 'shell_ended':
      // Killed, so nothing says whether the command had come to its end.
      if (exitCode === undefined) return lost(result, 'the shell of the session was killed while it ran');
      return completed({ ...result, state: 'exited' });
    default:
      return completed(result);
  }
}

function isShellGone({ kind }: RunOutcome): boolean {
  return kind === 'shell_ended' || kind === 'lost';
}

/** A program in the sandbox can end the shell, which must not lead out of the sandbox. */
const SANDBOX_ENDED = `The session was confined. The next command must request confinement again (confined, ${mentionParameter('confined')}), until the session is closed.`;

/** Types and waits until the screen settles or the time is up. */
async function typeAndSettle(view: TerminalView, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  let last: number | undefined;
  let live: () => void = () => undefined;
  const isLive = new Promise<void>((resolve) => {
    live = resolve;
  });
  const unwatch = view.watch(() => {
    last = performance.now();
    live();
  });
  try {
    const timer = setTimeout(live, ANSWER_MS);
    await isLive;
    clearTimeout(timer);
    // The first call only signals that the watch is active.
    last = undefined;
    await view.write(bytes, { deadlineMs: TYPE_MS, signal });
    const end = performance.now() + ANSWER_MS;
    while (performance.now() < end && !signal.aborted && view.isAlive()) {
      if (last !== undefined && performance.now() - last >= QUIET_MS) return;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS / 4));
    }
  } finally {
    unwatch();
  }
}

/** The whole screen of a full-screen program; otherwise the lines from the one that was typed in. */
function sinceThen(before: TerminalScreen, { screen, scrollback }: TerminalReading, most: number): string {
  if (screen.isAlternate) return textOfRows(screen.rows);
  const all = [...scrollback, ...screen.rows];
  if (before.isAlternate) return lastOf(textOfRows(all), Math.min(most, LINES_AFTER_FULL_SCREEN));
  const first = before.rows.find(({ hasCursor }) => hasCursor)?.line;
  return lastOf(textOfRows(all.filter(({ line }) => first === undefined || line >= first)), most);
}

function lastOf(text: string, most: number): string {
  return most === 0 ? '' : text.split('\n').slice(-most).join('\n');
}
