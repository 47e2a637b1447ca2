import type { TerminalSize } from '../../../model/terminals/terminal-screen.ts';
import { RUN_LIMITS } from '../../../operations/operation-parts.ts';
import { within } from '../../../model/within.ts';
import type { EndWaits, ProcessExit } from '../../../ports/process.ts';
import type { TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';
import type {
  RunRequest,
  TerminalFactsView,
  TerminalReading,
  TerminalStart,
} from '../../../ports/terminals.ts';
import type { HeldSession, HeldTerminalParts } from './held-session.ts';
import { helpStart } from '../../shells/reach-prompt.ts';
import { noTerminal, openSession } from './open-session.ts';
import type { OpenedSession } from './open-session.ts';
import { endForeground } from '../../shells/reach-prompt.ts';
import { passingFacts } from './passing-facts.ts';
import { runCommand } from './run-command.ts';
import { ShellDialogue } from '../../shells/shell-dialogue.ts';
import { ShellTalk } from '../../shells/shell-talk.ts';
import type { RunAnswer } from '../../../wire/terminal-protocol.ts';
import { AnsweredQueries } from './answered-queries.ts';
import { TerminalDisplay } from './terminal-display.ts';
import type { Onlooker } from './terminal-display.ts';
import { secretIsTheUsers } from '../../failures.ts';
import { TerminalFile } from './terminal-file.ts';
import { leavesPrompt, TerminalLook } from './terminal-look.ts';
import { mayBeSecret } from './wait-state.ts';
import type { ShellFacts } from './wait-state.ts';

/** Of the output of the latest command; more of it is read from the disk. */
const KEPT_BYTES = 64 * 1024;
/** For an answer to what a program has asked the terminal: whoever does not read it by then does not want it. */
const ANSWER_LIMIT_MS = 1000;
const TYPE_LIMIT_MS = 10_000;
/** For a shell to get its prompt ready, mostly. */
const PROMPT_MS = 60;
/** For a shell to end by the hang-up. */
const HANG_UP_MS = 300;

/** One terminal: the shell in it, what it shows, and who looks on. */
export class HeldTerminal {
  readonly id: string;
  /** Resolves when its shell has ended, and all it has started and shown is dealt with. */
  readonly ended: Promise<void>;
  private readonly parts: HeldTerminalParts;
  private readonly start: TerminalStart;
  private readonly opened: OpenedSession;
  private readonly dialogue: ShellDialogue;
  private readonly display: TerminalDisplay;
  private readonly session: HeldSession;
  private readonly file: TerminalFile;
  private readonly over = new AbortController();
  private readonly startedAt = new Date();
  private readonly listeners = new Set<() => void>();
  /** Process group of the shell; `undefined` where something wraps it and it has not said anything yet. */
  private shellGroup: number | undefined;
  private closeWaits = RUN_LIMITS.leftoverWaits;
  private readonly answers: AnsweredQueries;
  private isClosing = false;

  private constructor(parts: HeldTerminalParts, start: TerminalStart, opened: OpenedSession) {
    const { clock, log } = parts;
    const { kind, token, files, store, pty } = opened;
    this.parts = parts;
    this.start = start;
    this.opened = opened;
    this.id = opened.id;
    this.shellGroup = pty.isWrapped ? undefined : pty.pid;
    this.file = new TerminalFile(parts, opened, start, this.startedAt);
    this.display = new TerminalDisplay(start.size, store, () => this.shown());
    const { display } = this;
    this.dialogue = new ShellDialogue({ kind, token, startedMs: clock.now(), keptBytes: KEPT_BYTES });
    const { dialogue } = this;
    const type = (text: string) => void this.type(Buffer.from(text), TYPE_LIMIT_MS);
    const talk = new ShellTalk({
      dialogue,
      files,
      display,
      clock,
      type,
      onLeftCommandEnd: (command, { exitCode }) => void this.tellEnd(command, exitCode),
    });
    const look = new TerminalLook({
      clock,
      facts: () => pty.facts(),
      screen: () => display.screenFacts(),
      shell: (terminal) => this.shellFacts(terminal),
    });
    const { signal: over } = this.over;
    this.session = {
      name: start.name,
      kind,
      start: opened.start,
      pty,
      display,
      talk,
      look,
      clock,
      log,
      type,
      over,
    };
    this.answers = new AnsweredQueries(display, talk, async (bytes) => this.type(bytes, ANSWER_LIMIT_MS));
    this.ended = this.keep();
    void helpStart(this.session).catch(() => undefined);
  }

  /** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED */
  static async open(parts: HeldTerminalParts, start: TerminalStart): Promise<HeldTerminal> {
    const opened = await openSession(parts, start);
    try {
      return new HeldTerminal(parts, start, opened);
    } catch (error) {
      opened.pty.hangUp();
      await parts.processes.endAll(opened.id, opened.pty, RUN_LIMITS.leftoverWaits).catch(() => undefined);
      throw noTerminal(opened, error);
    }
  }

  /** It ends, or has ended: nothing more can be done with it. */
  get isOver(): boolean {
    return this.isClosing || this.over.signal.aborted;
  }

  get confinement(): TerminalStart['confinement'] {
    return this.start.confinement;
  }

  get name(): TerminalStart['name'] {
    return this.start.name;
  }

  async facts(): Promise<TerminalFactsView> {
    const { id, name, startedAt, session } = this;
    // A shell that is about to show its prompt says so.
    await session.talk.until(({ kind }) => kind !== 'starting' && kind !== 'returning', PROMPT_MS);
    const reading = await session.look.steadily();
    const { pty } = this.opened;
    return {
      id,
      name,
      pid: this.shellGroup ?? pty.pid,
      ttyPath: pty.path,
      shell: this.start.shell,
      startedAt,
      isConfined: this.confinement.by !== 'none',
      ...passingFacts(session, reading),
    };
  }

  /** @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT, ACTION_FAILED, CANCELLED */
  async run(request: RunRequest, signal: AbortSignal): Promise<RunAnswer> {
    const ran = await runCommand(this.session, this.dialogue, request, signal);
    return { ...ran, leftOut: this.problems, facts: await this.facts() };
  }

  async lines(most: number): Promise<{ readonly text: string; readonly leftOut: readonly string[] }> {
    return { text: await this.display.lines(most), leftOut: this.problems };
  }

  async read(scrollbackLines: number): Promise<TerminalReading> {
    return this.display.read(scrollbackLines);
  }

  /**
   * Types. @param byPerson a person does, who may type a secret
   * @throws DeskterityError POLICY_DENIED for a caller where a secret is waited for, ACTION_FAILED, CANCELLED
   */
  async write(bytes: Uint8Array, byPerson: boolean, signal: AbortSignal): Promise<void> {
    const { pty } = this.opened;
    if (!byPerson && !leavesPrompt(bytes)) {
      const facts = await pty.facts();
      if (mayBeSecret(facts)) throw secretIsTheUsers(this.name, facts.processes[0]?.program);
    }
    this.session.talk.touch();
    await pty.write(bytes, signal);
  }

  async resize(size: TerminalSize): Promise<void> {
    await this.display.resize(size);
    this.opened.pty.resize(this.display.size);
  }

  /** @returns how many processes there were @throws DeskterityError ACTION_FAILED */
  async kill(waits: EndWaits): Promise<number> {
    return endForeground(this.session, waits);
  }

  async clear(): Promise<void> {
    await this.display.clear();
  }

  /** Resolves when everything of it has ended. */
  async close(waits: EndWaits): Promise<void> {
    this.closeWaits = waits;
    this.isClosing = true;
    this.opened.pty.hangUp();
    await this.ended;
  }

  async attach(onlooker: Onlooker, size: TerminalSize): Promise<void> {
    await this.resize(size);
    await this.display.attach(onlooker);
  }

  detach(onlooker: Onlooker): void {
    this.display.detach(onlooker);
  }

  /** Calls when the screen may be another one. @returns ends it */
  onShown(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private get problems(): readonly string[] {
    const { problem } = this.opened.store;
    return problem === undefined ? [] : [problem];
  }

  private async keep(): Promise<void> {
    const { talk } = this.session;
    try {
      for await (const chunk of this.opened.pty.output) {
        this.answers.heard();
        await talk.receive(chunk);
        this.answers.heard();
        if (this.shellGroup === undefined && talk.state.kind === 'idle') await this.findShell();
      }
    } catch {
      // It was hung up.
    }
    await this.finish().catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown';
      this.parts.log.write({ level: 'error', message: 'a terminal did not end well', fields: { name } });
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
    await this.session.talk.end(how);
    this.over.abort();
    await this.endAll();
    await store.close();
    await this.file.end(how, store.problem);
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

  private async findShell(): Promise<void> {
    const facts = await this.opened.pty.facts().catch(() => undefined);
    this.shellGroup = facts?.foregroundGroup;
  }

  private shellFacts({ foregroundGroup, isLineMode }: TerminalFacts): ShellFacts | undefined {
    const { kind } = this.session.talk.state;
    // At its start nobody else has the terminal.
    const group = this.shellGroup ?? foregroundGroup;
    if (group === undefined) return undefined;
    return {
      group,
      isCommandRunning: kind === 'starting' ? undefined : kind !== 'idle',
      // Of POSIX shells some have one.
      hasLineEditor: this.opened.kind !== 'posix' || !isLineMode,
    };
  }

  private async tellEnd(command: string, exitCode: number | undefined): Promise<void> {
    const terminal = await this.facts();
    this.parts.onCommandEnd({ terminal, command, exitCode });
  }
}
