import { outlineFinished, shownAsFinished } from '../../model/terminals/finished-command.ts';
import type { FinishedCommand } from '../../model/terminals/finished-command.ts';
import type { TerminalNotify } from '../../model/terminals/terminal-app.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Platform } from '../../ports/platform.ts';
import type { EndedCommand, RunOutcome, RunRequest, TerminalsPort } from '../../ports/terminals.ts';
import type { Environment } from '../../model/sessions/caller.ts';

/** Sessions that never ask again, and commands that never end, must not fill the memory. */
const MOST_UNTOLD = 200;
const MOST_RUNNING = 500;
const NOTICE_MS = 5000;

/** Who has left a command running. */
export interface Starter {
  readonly session: string;
  readonly notify: TerminalNotify;
  readonly environment: Environment;
  readonly log: Pick<LogPort, 'write'>;
}

interface Left {
  readonly by: Starter;
  readonly command: string;
  /** The call that began it has been answered with it running. */
  isAnswered: boolean;
  /** Its end, where that came before the answer. */
  ended: EndedCommand | undefined;
}

interface Untold {
  readonly session: string;
  readonly finished: FinishedCommand;
}

export interface CommandEventsParts {
  readonly log: Pick<LogPort, 'write'>;
  readonly showNotice: Platform['showNotice'];
}

/** Commands that were left running in terminals and have ended since: each is told to the session that has begun it, once. */
export class CommandEvents {
  private readonly parts: CommandEventsParts;
  /** By terminal. */
  private readonly left = new Map<string, readonly Left[]>();
  private untold: readonly Untold[] = [];
  private readonly listeners = new Set<{ readonly session: string; hear(finished: FinishedCommand): void }>();

  constructor(parts: CommandEventsParts) {
    this.parts = parts;
  }

  /** Runs commands; the end of those that are left running is told to whoever has begun them. */
  following(run: TerminalsPort['run'], by: Starter): TerminalsPort['run'] {
    return (id, request, signal) => this.run(run, by, id, request, signal);
  }

  /** A command has ended, as {@link TerminalsPort.onCommandEnd} tells. */
  ended(ended: EndedCommand): void {
    const { id } = ended.terminal;
    const found = this.left.get(id)?.find((one) => one.command === ended.command && one.ended === undefined);
    if (found === undefined) return;
    found.ended = ended;
    if (found.isAnswered) this.tell(id, found, ended);
  }

  /** What to tell a session with its next answer. */
  take(session: string): readonly FinishedCommand[] {
    const ended = this.untold.filter((one) => one.session === session);
    if (ended.length > 0) this.untold = this.untold.filter((one) => one.session !== session);
    return ended.map(({ finished }) => finished);
  }

  /** Calls `hear` for each command of a session that ends and was begun with `terminal.notify` set to mcp. @returns ends the watch */
  watch(session: string, hear: (finished: FinishedCommand) => void): () => void {
    const listener = { session, hear };
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async run(
    run: TerminalsPort['run'],
    by: Starter,
    id: string,
    request: RunRequest,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const left: Left = { by, command: request.command, isAnswered: false, ended: undefined };
    this.keep(id, left);
    try {
      const outcome = await run(id, request, signal);
      left.isAnswered = isLeftRunning(outcome);
      return outcome;
    } catch (error) {
      // Whoever went away while it ran hears of its end as well.
      left.isAnswered = signal.aborted;
      throw error;
    } finally {
      if (!left.isAnswered) this.drop(id, left);
      else if (left.ended !== undefined) this.tell(id, left, left.ended);
    }
  }

  private tell(id: string, left: Left, { terminal, command, exitCode }: EndedCommand): void {
    this.drop(id, left);
    const { session, notify, environment, log } = left.by;
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
    this.untold = [...this.untold, { session, finished }].slice(-MOST_UNTOLD);
    if (notify === 'desktop') void this.showNotice(environment, finished);
    if (notify !== 'mcp') return;
    for (const listener of this.listeners) if (listener.session === session) listener.hear(finished);
  }

  /** Never rejects: a notice that cannot be shown is in the log. */
  private async showNotice(environment: Environment, finished: FinishedCommand): Promise<void> {
    const { exit_code: code } = finished;
    const summary = code === undefined || code === 0 ? 'A command has ended' : 'A command has failed';
    const notice = { summary, body: outlineFinished(finished) };
    try {
      await this.parts.showNotice(environment, notice, { deadlineMs: NOTICE_MS });
    } catch (error) {
      this.parts.log.write({
        level: 'warn',
        message: 'no notice could be shown on the desktop',
        fields: { error: error instanceof DeskterityError ? error.code : 'INTERNAL' },
      });
    }
  }

  private keep(id: string, left: Left): void {
    const others = this.left.get(id) ?? [];
    this.left.delete(id);
    this.left.set(id, [...others, left]);
    const [oldest] = this.left.keys();
    if (this.left.size > MOST_RUNNING && oldest !== undefined) this.left.delete(oldest);
  }

  private drop(id: string, left: Left): void {
    const others = (this.left.get(id) ?? []).filter((one) => one !== left);
    if (others.length === 0) this.left.delete(id);
    else this.left.set(id, others);
  }
}

function isLeftRunning({ kind }: RunOutcome): boolean {
  return kind === 'started' || kind === 'waiting' || kind === 'timed_out';
}
