import type { TerminalRecord } from '../../../model/terminals/terminal-record.ts';
import type { TerminalSize } from '../../../model/terminals/terminal-screen.ts';
import { RUN_LIMITS } from '../../../operations/operation-parts.ts';
import { within } from '../../../model/within.ts';
import type { EndWaits, ProcessExit } from '../../../ports/process.ts';
import type { TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';
import type { RunRequest, TerminalFactsView, TerminalStart } from '../../../ports/terminals.ts';
import { changingFacts, type HeldSession, type HeldTerminalParts } from './held-session.ts';
import { openFailed, openSession, type OpenedSession } from './open-session.ts';
import { endForeground, loadHooksLate } from '../../shells/reach-prompt.ts';
import { runCommand } from './run-command.ts';
import { ShellProtocol } from '../../shells/shell-protocol.ts';
import { ShellDriver } from '../../shells/shell-driver.ts';
import type { RunAnswer } from '../../../wire/terminal-protocol.ts';
import { queryReplies, type QueryReplies } from './query-replies.ts';
import { TerminalDisplay, type OutputReceiver } from './terminal-display.ts';
import { secretRequested } from '../../failures.ts';
import { keepStart, writeEnd, writeStart } from './terminal-file.ts';
import { leavesPrompt, StateSampler } from './state-sampler.ts';
import { mayBeSecret, type ShellFacts, type WaitReading } from './wait-state.ts';

/** Output of the latest command kept in memory; the rest is read from disk. */
const KEPT_BYTES = 64 * 1024;
/** For a reply to a terminal query; a program that has not read it by then does not need it. */
const ANSWER_LIMIT_MS = 1000;
const TYPE_LIMIT_MS = 10_000;
/** Usually enough for a shell to prepare its prompt. */
const PROMPT_MS = 60;
/** For a shell to exit after SIGHUP. */
const HANG_UP_MS = 300;

/** One terminal: its shell, display and attachments. */
export class HeldTerminal {
  readonly id: string;
  /** Resolves when the shell and everything it started have ended and the output is stored. */
  readonly ended: Promise<void>;
  private readonly parts: HeldTerminalParts;
  readonly start: TerminalStart;
  private readonly opened: OpenedSession;
  private readonly protocol: ShellProtocol;
  readonly display: TerminalDisplay;
  private readonly session: HeldSession;
  private readonly record: TerminalRecord;
  private readonly over = new AbortController();
  private readonly startedAt = new Date();
  private readonly listeners = new Set<() => void>();
  /** Process group of the shell; `undefined` while it is wrapped by a sandbox program and has not shown a prompt. */
  private shellGroup: number | undefined;
  private closeWaits = RUN_LIMITS.leftoverWaits;
  private readonly answers: QueryReplies;
  private isClosing = false;
  private isClosedByCaller = false;

  private constructor(parts: HeldTerminalParts, start: TerminalStart, opened: OpenedSession) {
    const { clock, log } = parts;
    const { kind, token, files, store, pty } = opened;
    this.parts = parts;
    this.start = start;
    this.opened = opened;
    this.id = opened.id;
    this.shellGroup = pty.isWrapped ? undefined : pty.pid;
    this.record = writeStart(opened, start, this.startedAt, parts.holder);
    this.display = new TerminalDisplay(start.size, store, () => this.shown());
    const { display } = this;
    this.protocol = new ShellProtocol({ kind, token, startedMs: clock.now(), keptBytes: KEPT_BYTES });
    const { protocol } = this;
    const type = (text: string) => void this.type(Buffer.from(text), TYPE_LIMIT_MS);
    const driver = new ShellDriver({
      protocol,
      files,
      display,
      clock,
      type,
      onLeftCommandEnd: (command, { exitCode }) => void this.reportEnd(command, exitCode),
    });
    const sampler = new StateSampler({
      clock,
      facts: () => pty.facts(),
      screen: () => display.screenFacts(),
      shell: (terminal) => this.shellFacts(terminal),
    });
    const over = this.over.signal;
    const shellPid = () => this.shellGroup ?? pty.pid;
    this.session = {
      ...opened,
      name: start.name,
      display,
      driver,
      sampler,
      clock,
      log,
      shellPid,
      type,
      over,
    };
    this.answers = queryReplies(display, driver, async (bytes) => this.type(bytes, ANSWER_LIMIT_MS));
    this.ended = this.keep();
    void loadHooksLate(this.session).catch(() => undefined);
  }

  /** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED */
  static async open(parts: HeldTerminalParts, start: TerminalStart): Promise<HeldTerminal> {
    const opened = await openSession(parts, start);
    try {
      return new HeldTerminal(parts, start, opened);
    } catch (error) {
      opened.pty.hangUp();
      await parts.processes.endAll(opened.id, opened.pty, RUN_LIMITS.leftoverWaits).catch(() => undefined);
      throw openFailed(opened, error);
    }
  }

  /** It has ended or is about to end; no more requests are possible. */
  get isOver(): boolean {
    return this.isClosing || this.over.signal.aborted;
  }

  /** Writes its record again if that is damaged or missing: without one no client finds the terminal. */
  keepRecord(): void {
    keepStart(this.opened.folder, this.record);
  }

  /** @param known a state that has just been seen to last */
  async facts(known?: WaitReading): Promise<TerminalFactsView> {
    const { id, startedAt, session } = this;
    const { name, shell, confinement } = this.start;
    // Waits briefly for a shell that is about to show its prompt.
    await session.driver.until(({ kind }) => kind !== 'starting' && kind !== 'returning', PROMPT_MS);
    const reading = known ?? (await session.sampler.steadily());
    const { pty } = this.opened;
    return {
      id,
      name,
      pid: this.shellGroup ?? pty.pid,
      ttyPath: pty.path,
      shell,
      startedAt,
      isConfined: confinement.by !== 'none',
      ...changingFacts(session, reading),
    };
  }

  /** @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT, ACTION_FAILED, CANCELLED */
  async run(request: RunRequest, signal: AbortSignal): Promise<RunAnswer> {
    const { reading, ...ran } = await runCommand(this.session, this.protocol, request, signal);
    return { ...ran, leftOut: this.problems, facts: await this.facts(reading) };
  }

  async lines(most: number): Promise<{ readonly text: string; readonly leftOut: readonly string[] }> {
    return { text: await this.display.lines(most), leftOut: this.problems };
  }

  /**
   * Types bytes. @param byPerson whether a person types, who may enter a secret
   * @throws DeskterityError POLICY_DENIED for other callers while a program reads a secret, ACTION_FAILED, CANCELLED
   */
  async write(bytes: Uint8Array, byPerson: boolean, signal: AbortSignal): Promise<void> {
    const { pty } = this.opened;
    if (!byPerson && !leavesPrompt(bytes)) {
      const facts = await pty.facts();
      if (mayBeSecret(facts)) throw secretRequested(this.start.name, facts.processes[0]?.program);
    }
    this.session.driver.touch();
    await pty.write(bytes, signal);
  }

  async resize(size: TerminalSize): Promise<void> {
    await this.display.resize(size);
    this.opened.pty.resize(this.display.size);
  }

  /** @returns the number of ended processes @throws DeskterityError ACTION_FAILED */
  async kill(waits: EndWaits): Promise<number> {
    return endForeground(this.session, waits);
  }

  /** Resolves when all of its processes have ended. @param by `holder`: it shuts down */
  async close(waits: EndWaits, by: 'caller' | 'holder'): Promise<void> {
    this.closeWaits = waits;
    this.isClosedByCaller ||= by === 'caller';
    this.isClosing = true;
    this.opened.pty.hangUp();
    await this.ended;
  }

  async attach(receiver: OutputReceiver, size: TerminalSize): Promise<void> {
    await this.resize(size);
    await this.display.attach(receiver);
  }

  /** Calls `listener` when the screen may have changed. @returns a function that stops it */
  onShown(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private get problems(): readonly string[] {
    const { problem } = this.opened.store;
    return problem === undefined ? [] : [problem];
  }

  private async keep(): Promise<void> {
    const { driver } = this.session;
    try {
      for await (const chunk of this.opened.pty.output) {
        this.answers.noteOutput();
        await driver.receive(chunk);
        this.answers.noteOutput();
        if (this.shellGroup !== undefined || driver.state.kind !== 'idle') continue;
        this.shellGroup = (await this.opened.pty.facts().catch(() => undefined))?.foregroundGroup;
      }
    } catch {
      // The pseudo-terminal was closed.
    }
    await this.finish().catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown';
      this.parts.log.write({ level: 'error', message: 'a terminal did not end properly', fields: { name } });
    });
  }

  private async finish(): Promise<void> {
    const { clock } = this.parts;
    const { pty, store } = this.opened;
    const unknown: ProcessExit = { exitCode: undefined, signal: undefined };
    const exited = pty.exited.catch(() => unknown);
    let exit = await within(clock, exited, HANG_UP_MS);
    if (exit === undefined) {
      await this.endAll();
      exit = await within(clock, exited, RUN_LIMITS.settleMs);
    }
    const how = exit?.value ?? unknown;
    await this.session.driver.end(how);
    this.over.abort();
    await this.endAll();
    await store.close();
    const { isClosedByCaller: isClosed } = this;
    await writeEnd(this.parts, this.opened.folder, this.record, { ...how, isClosed, problem: store.problem });
    this.display.dispose();
    this.shown();
  }

  private async endAll(): Promise<void> {
    const { processes, log } = this.parts;
    await processes.endAll(this.id, this.opened.pty, this.closeWaits).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown';
      log.write({ level: 'error', message: 'processes of a terminal could not be ended', fields: { name } });
    });
  }

  private shown(): void {
    for (const listener of this.listeners) listener();
    this.answers.shown();
  }

  private async type(bytes: Uint8Array, limitMs: number): Promise<void> {
    await this.opened.pty.write(bytes, AbortSignal.timeout(limitMs)).catch(() => undefined);
  }

  private shellFacts({ foregroundGroup, isLineMode }: TerminalFacts): ShellFacts | undefined {
    const { kind } = this.session.driver.state;
    // During startup only the shell has the terminal.
    const group = this.shellGroup ?? foregroundGroup;
    if (group === undefined) return undefined;
    return {
      group,
      isCommandRunning: kind === 'starting' ? undefined : kind !== 'idle',
      // Some POSIX shells have a line editor.
      hasLineEditor: this.opened.kind !== 'posix' || !isLineMode,
    };
  }

  private async reportEnd(command: string, exitCode: number | undefined): Promise<void> {
    const terminal = await this.facts();
    this.parts.onCommandEnd({ terminal, command, exitCode });
  }
}
