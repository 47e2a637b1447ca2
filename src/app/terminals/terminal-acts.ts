import { DeskterityError } from '../../model/effects/errors.ts';
import { parseKeyCombination } from '../../model/text/key-combination.ts';
import type { TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import type { TerminalModes, TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import type { RunOutcome, TerminalFactsView, TerminalReading, TerminalView } from '../../ports/terminals.ts';
import { invalid } from '../../terminal/use-cases/coerce-parameter.ts';
import { keyBytes } from '../../terminal/screen/key-bytes.ts';
import {
  completedAnswer,
  doneAnswer,
  sentAnswer,
  startedAnswer,
  timedOutAnswer,
  waitingAnswer,
  withRemarks,
} from '../../terminal/use-cases/terminal-answer.ts';
import type { CommandOutcome } from '../../terminal/use-cases/terminal-answer.ts';
import { commandNotBegun } from '../../terminal/use-cases/terminal-failures.ts';
import { actionCompleted } from '../../terminal/use-cases/terminal-messages.ts';
import { typedBytes } from '../../terminal/screen/text-bytes.ts';
import type { TerminalDesk } from './terminal-calls.ts';
import { outcomeOf, textOfRows } from './terminal-looks.ts';
import type { TerminalShowing } from './terminal-stage.ts';
import { openTerminal, requireTerminal, withTerminal } from './terminal-sessions.ts';

const TYPE_MS = 10_000;
/** What a program makes of a key is on the screen within this time, as a rule. */
const ANSWER_MS = 1000;
const QUIET_MS = 80;
/** Of what a full-screen program had hidden: whoever has left it knows the rest. */
const LINES_AFTER_FULL_SCREEN = 5;

/** Runs a command, or makes the session ready for one. */
export async function execute(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call, settings, signal } = desk;
  return withTerminal(
    (isConfined) => openTerminal(desk.start, port, isConfined ? { ...call, confined: true } : call),
    async (terminal) => {
      const remarks = await focused(desk, terminal);
      if (call.command === '') {
        if (call.clear) await port.clear(terminal.id);
        return withRemarks(desk.setting, doneAnswer(desk.setting, terminal.name), [
          ...remarks,
          ...confinementRemarks(desk, terminal),
        ]);
      }
      const outcome = await port.run(
        terminal.id,
        {
          command: call.command,
          isBackground: call.background,
          waitMs: call.timeoutSeconds * 1000,
          lines: call.lines,
          interrupt: call.interrupt ? settings.waits : undefined,
          clear: call.clear,
        },
        signal,
      );
      const seen = await withScreen(desk, outcome);
      const answer = { ...answerOf(desk, seen), is_confined: outcome.terminal.isConfined };
      return withRemarks(desk.setting, answer, [
        ...remarks,
        ...confinementRemarks(desk, terminal),
        ...(outcome.kind === 'shell_ended' && terminal.isConfined ? [SANDBOX_ENDED] : []),
      ]);
    },
  );
}

/** Types text and presses keys. */
export async function send(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call, signal } = desk;
  const { text = '', keys = '' } = call;
  const combinations = keys.split(/\s+/).filter((name) => name !== '');
  const parsed = combinations.map((name) => parseKeyCombination(name));
  if (text === '' && parsed.length === 0)
    throw invalid(
      "There is nothing to send: neither 'text' nor 'keys' is given.",
      'Give text to type, or keys such as "Enter" or "ctrl+c"; with both, the text comes first.',
    );
  const { id } = await requireTerminal(port, call);
  const view = await port.view(id);
  const { screen } = await view.read({ scrollbackLines: 0, deadlineMs: TYPE_MS, signal });
  await typeAndSettle(view, bytesOf(text, parsed, screen.modes), signal);
  // The shell may have ended with it.
  const terminal = await port.facts(id).catch(gone);
  if (terminal === undefined) return doneAnswer(desk.setting, requireName(call));
  const after = await view.read({ scrollbackLines: call.lines, deadlineMs: TYPE_MS, signal });
  return sentAnswer(desk.setting, { ...outcomeOf(terminal), output: sinceThen(screen, after, call.lines) });
}

/** Ends what runs in the foreground. */
export async function kill(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call, settings, setting } = desk;
  const terminal = await requireTerminal(port, call);
  const remarks = await focused(desk, terminal);
  const count = await port.kill(terminal.id, settings.waits);
  if (call.clear) await port.clear(terminal.id);
  if (count > 0) return withRemarks(setting, doneAnswer(setting, terminal.name), remarks);
  const answer = { ...doneAnswer(setting, terminal.name), message: actionCompleted('kill', terminal.name) };
  return withRemarks(setting, answer, ['Nothing was running.', ...remarks]);
}

export async function resize(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call, signal, setting } = desk;
  if (call.columns === undefined && call.rows === undefined)
    throw invalid("Neither 'columns' nor 'rows' is given.", 'Give one of them or both.');
  const { id, size, name } = await requireTerminal(port, call);
  const wanted = { columns: call.columns ?? size.columns, rows: call.rows ?? size.rows };
  await (await port.view(id)).resize(wanted, { deadlineMs: TYPE_MS, signal });
  const { size: now } = await port.facts(id);
  return withRemarks(setting, doneAnswer(setting, name), [`It has ${now.columns}x${now.rows} now.`]);
}

/** Ends the session. */
export async function close(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call, settings, setting } = desk;
  const { id, name } = await requireTerminal(port, call);
  await port.close(id, settings.waits);
  return doneAnswer(setting, name);
}

export async function focus(desk: TerminalDesk): Promise<TerminalAnswer> {
  const terminal = await requireTerminal(desk.port, desk.call);
  const showing = await desk.stage.focus(terminal, desk.signal);
  return withRemarks(desk.setting, doneAnswer(desk.setting, terminal.name), [toldOf(showing)]);
}

export async function attach(desk: TerminalDesk): Promise<TerminalAnswer> {
  const terminal = await requireTerminal(desk.port, desk.call);
  const showing = await desk.stage.attach(terminal, desk.signal);
  return withRemarks(desk.setting, doneAnswer(desk.setting, terminal.name), [toldOf(showing)]);
}

function toldOf({ application, via, evidence }: TerminalShowing): string {
  const who = application === undefined ? [] : [`Shown by ${application}.`];
  return [...who, `Via ${via}: ${evidence.join('; ')}.`].join(' ');
}

/** For an action that brings its session to the front on the side: that it cannot is no failure of the action. */
export async function focused(
  { call, stage, signal }: TerminalDesk,
  terminal: TerminalFactsView,
): Promise<readonly string[]> {
  if (!call.focus) return [];
  try {
    await stage.focus(terminal, signal);
    return [];
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    return [error.message];
  }
}

/** What a full-screen program has written is no text; what it shows is. */
async function withScreen({ port, call, signal }: TerminalDesk, outcome: RunOutcome): Promise<RunOutcome> {
  if (outcome.terminal.state !== 'full_screen' || outcome.kind === 'completed') return outcome;
  const view = await port.view(outcome.terminal.id).catch(gone);
  const reading = await view?.read({ scrollbackLines: 0, deadlineMs: TYPE_MS, signal }).catch(gone);
  if (reading === undefined) return outcome;
  return { ...outcome, output: lastOf(textOfRows(reading.screen.rows), call.lines), leftOut: [] };
}

function answerOf({ setting, call }: TerminalDesk, outcome: RunOutcome): TerminalAnswer {
  const { terminal } = outcome;
  const told: CommandOutcome = {
    session: terminal.name,
    output: outcome.output,
    state: terminal.state,
    restsOn: terminal.restsOn,
    exitCode: outcome.exitCode,
    leftOut: outcome.leftOut,
    prompt: terminal.prompt,
  };
  switch (outcome.kind) {
    case 'started':
      return startedAnswer(setting, told);
    case 'waiting':
      return waitingAnswer(setting, told);
    case 'timed_out':
      return timedOutAnswer(setting, told, call.timeoutSeconds);
    case 'not_begun':
      throw commandNotBegun(terminal.name);
    case 'shell_ended':
      return completedAnswer(setting, { ...told, state: 'exited' });
    default:
      return completedAnswer(setting, told);
  }
}

/** Programs in a sandbox can end its shell, and so bring about what follows. */
const SANDBOX_ENDED =
  'It was confined; the next command here is not, unless it asks for that (confined, --confined).';

/** Truth first: who has turned the sandbox off gets none, and is told so. */
function confinementRemarks({ call }: TerminalDesk, { isConfined }: TerminalFactsView): readonly string[] {
  return call.confined && !isConfined ? ['NOT CONFINED: the sandbox is turned off.'] : [];
}

function bytesOf(
  text: string,
  keys: readonly ReturnType<typeof parseKeyCombination>[],
  modes: TerminalModes,
): Uint8Array {
  return Buffer.concat([typedBytes(text), ...keys.map((key) => keyBytes(key, modes))]);
}

/** Until what was typed has had its effect on the screen, or has had time for one. */
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
    // That it can tell is no effect of what is typed.
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

/** A full-screen program is shown whole; else what stands from the line on that was typed in. */
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

function gone(error: unknown): undefined {
  if (error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND') return undefined;
  throw error;
}

function requireName({ projectPath, tag }: TerminalDesk['call']) {
  return { projectPath, tag: tag ?? '' };
}
