import { outlineFinished, shownAsFinished } from '../../model/terminals/finished-command.ts';
import type { FinishedCommand } from '../../model/terminals/finished-command.ts';
import type { TerminalNotify } from '../../model/terminals/terminal-app.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Platform } from '../../ports/platform.ts';
import type { EndedCommand, RunOutcome, RunRequest, TerminalsPort } from '../../ports/terminals.ts';
import type { Environment } from '../../model/sessions/caller.ts';

/** Bounds the memory for sessions that never call again and commands that never end. */
const MAX_UNREPORTED = 200;
const MAX_RUNNING = 500;
const NOTICE_MS = 5000;

/** The session that left a command running. */
export interface Starter {
  readonly session: string;
  readonly notify: TerminalNotify;
  readonly environment: Environment;
  readonly log: Pick<LogPort, 'write'>;
}

interface PendingCommand {
  readonly by: Starter;
  readonly command: string;
  /** The call that started it was answered while it was running. */
  isAnswered: boolean;
  /** Its end, if it came before the answer. */
  ended: EndedCommand | undefined;
}

interface Unreported {
  readonly session: string;
  readonly finished: FinishedCommand;
}

export interface CommandEventsParts {
  readonly log: Pick<LogPort, 'write'>;
  readonly showNotice: Platform['showNotice'];
}

/** Reports the end of each command left running in a terminal to the session that started it, once. */
export class CommandEvents {
  private readonly parts: CommandEventsParts;
  /** By terminal. */
  private readonly pending = new Map<string, readonly PendingCommand[]>();
  private unreported: readonly Unreported[] = [];
  private readonly listeners = new Set<{
    readonly session: string;
    onEnd(finished: FinishedCommand): void;
  }>();

  constructor(parts: CommandEventsParts) {
    this.parts = parts;
  }

  /** Runs commands and reports the end of those left running to the session that started them. */
  tracking(run: TerminalsPort['run'], by: Starter): TerminalsPort['run'] {
    return (id, request, signal) => this.run(run, by, id, request, signal);
  }

  /** Handles the end of a command, see {@link TerminalsPort.onCommandEnd}. */
  ended(ended: EndedCommand): void {
    const { id } = ended.terminal;
    const found = this.pending
      .get(id)
      ?.find((one) => one.command === ended.command && one.ended === undefined);
    if (found === undefined) return;
    found.ended = ended;
    if (found.isAnswered) this.report(id, found, ended);
  }

  /** The ended commands for the next answer of a session. */
  take(session: string): readonly FinishedCommand[] {
    const ended = this.unreported.filter((one) => one.session === session);
    if (ended.length > 0) this.unreported = this.unreported.filter((one) => one.session !== session);
    return ended.map(({ finished }) => finished);
  }

  /** Calls `listener` for the end of each command that a session started with `terminal.notify` set to mcp. @returns a function that ends the watch */
  watch(session: string, listener: (finished: FinishedCommand) => void): () => void {
    const entry = { session, onEnd: listener };
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }

  private async run(
    run: TerminalsPort['run'],
    by: Starter,
    id: string,
    request: RunRequest,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const pending: PendingCommand = { by, command: request.command, isAnswered: false, ended: undefined };
    this.add(id, pending);
    try {
      const outcome = await run(id, request, signal);
      pending.isAnswered = isLeftRunning(outcome);
      return outcome;
    } catch (error) {
      // A caller that cancelled while it ran is told its end as well.
      pending.isAnswered = signal.aborted;
      throw error;
    } finally {
      if (!pending.isAnswered) this.remove(id, pending);
      else if (pending.ended !== undefined) this.report(id, pending, pending.ended);
    }
  }

  private report(id: string, pending: PendingCommand, { terminal, command, exitCode }: EndedCommand): void {
    this.remove(id, pending);
    const { session, notify, environment, log } = pending.by;
    const code = exitCode === undefined ? {} : { exit_code: exitCode };
    log.write({
      level: 'info',
      message: 'terminal',
      fields: { action: 'command ended', terminal: id, ...code },
    });
    const finished: FinishedCommand = {
      terminal: id,
      tag: terminal.name.tag,
      project_path: terminal.name.projectPath,
      command: shownAsFinished(command),
      ...code,
    };
    this.unreported = [...this.unreported, { session, finished }].slice(-MAX_UNREPORTED);
    if (notify === 'desktop') void this.showNotice(environment, finished);
    if (notify !== 'mcp') return;
    for (const listener of this.listeners) if (listener.session === session) listener.onEnd(finished);
  }

  /** Never rejects: a notice that cannot be shown is logged. */
  private async showNotice(environment: Environment, finished: FinishedCommand): Promise<void> {
    const { exit_code: code } = finished;
    const summary = code === undefined || code === 0 ? 'A command has ended' : 'A command has failed';
    const notice = { summary, body: outlineFinished(finished) };
    try {
      await this.parts.showNotice(environment, notice, { deadlineMs: NOTICE_MS });
    } catch (error) {
      this.parts.log.write({
        level: 'warn',
        message: 'a desktop notice could not be shown',
        fields: { error: error instanceof DeskterityError ? error.code : 'INTERNAL' },
      });
    }
  }

  private add(id: string, pending: PendingCommand): void {
    const others = this.pending.get(id) ?? [];
    this.pending.delete(id);
    this.pending.set(id, [...others, pending]);
    const [oldest] = this.pending.keys();
    if (this.pending.size > MAX_RUNNING && oldest !== undefined) this.pending.delete(oldest);
  }

  private remove(id: string, pending: PendingCommand): void {
    const others = (this.pending.get(id) ?? []).filter((one) => one !== pending);
    if (others.length === 0) this.pending.delete(id);
    else this.pending.set(id, others);
  }
}

function isLeftRunning({ kind }: RunOutcome): boolean {
  return kind === 'started' || kind === 'waiting' || kind === 'timed_out';
}
