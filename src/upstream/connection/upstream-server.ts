import type { DeskterityError } from '../../model/effects/errors.ts';
import { clip, reveal } from '../../model/text/untrusted-text.ts';
import { within } from '../../model/within.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { LogPort } from '../../ports/log.ts';
import type { ServerToolFacts } from '../../ports/upstream/servers.ts';
import type { ServerTarget } from '../configuration/server-target.ts';
import { offeredTools, type OfferedServerTools } from '../tools/offered-tools.ts';
import { redact } from '../../model/redaction/secret-texts.ts';
import { isSignInDemand } from '../sign-in/sign-in-demanded.ts';
import { callFailure, unavailable } from './call-failure.ts';
import { errorWords, startWords } from './error-words.ts';
import type { Connection, ConnectionParts } from './open-connection.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** A server that ran this long begins anew with {@link FIRST_WAIT_MS}. */
const STABLE_MS = 60_000;
/** A call waits this long for the next start; a longer wait is reported at once. */
const PATIENCE_MS = 1500;
/** The list of a server that reports changes all the time is still read only this often. */
const LEAST_BETWEEN_LISTS_MS = 2000;
/** Lines of standard error in the log, for each start. */
const MOST_ERROR_LINES = 100;
const MOST_PROGRESS_PER_SECOND = 4;
/** A call that fails because its server has ended may be told so a moment earlier. */
const END_NOTICE_MS = 200;

/** Why the server wants somebody to sign in. */
export interface SignInNeeded {
  /** The failure to report, with how to sign in. */
  failure(): Promise<DeskterityError>;
}

export interface UpstreamServerParts {
  readonly name: string;
  readonly target: ServerTarget;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  readonly open: (parts: Pick<ConnectionParts, 'onErrorLine' | 'onToolsChanged'>) => Promise<Connection>;
  /** Of somebody who has signed in. */
  readonly tokens: () => readonly string[];
  /** Present while the last request was refused for want of a token. */
  readonly signInNeeded: () => SignInNeeded | undefined;
}

interface Running {
  readonly connection: Connection;
  readonly startedAt: number;
  offered: OfferedServerTools;
}

/** One server: started when it is first needed, kept running, and started again after it has ended. */
export class UpstreamServer {
  private readonly parts: UpstreamServerParts;
  private running: Promise<Running> | undefined;
  private current: Running | undefined;
  /** What it offered when it last ran. */
  private before: OfferedServerTools | undefined;
  private startingSince: number | undefined;
  private failures = 0;
  private notBefore = 0;
  private lastProblem = 'it ended';
  private secretsBefore: readonly string[] = [];
  private lastListAt = Number.NEGATIVE_INFINITY;
  private isRefreshing = false;
  private readonly isOver = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(parts: UpstreamServerParts) {
    this.parts = parts;
  }

  get pid(): number | undefined {
    return this.current?.connection.pid;
  }

  /** Texts that answers, messages and logs must not repeat. */
  get secrets(): readonly string[] {
    const now = [...this.parts.target.secrets, ...this.parts.tokens()];
    const isSame =
      now.length === this.secretsBefore.length && now.every((one, at) => one === this.secretsBefore[at]);
    // The same list while they are the same: their encoded forms are computed once for a list.
    if (!isSame) this.secretsBefore = now;
    return this.secretsBefore;
  }

  /** As far as they are known; starts nothing. One that has ended is started again by a call, so it still has its tools. */
  get known(): OfferedServerTools | undefined {
    return this.current?.offered ?? this.before;
  }

  /** Whether it did not start the last time, or has been starting for this long. */
  isLate(afterMs: number): boolean {
    const { startingSince: since } = this;
    return this.failures > 0 || (since !== undefined && this.parts.clock.now() - since >= afterMs);
  }

  /** Starts the server if it does not run. @throws DeskterityError SERVER_UNAVAILABLE, UNAUTHORIZED */
  async tools(): Promise<OfferedServerTools> {
    return (await this.ready()).offered;
  }

  /** A tool by the name in our list. @throws DeskterityError as {@link tools} */
  async find(name: string): Promise<ServerToolFacts | undefined> {
    return (await this.ready()).offered.tools.find((tool) => tool.name === name);
  }

  /** @throws DeskterityError SERVER_UNAVAILABLE, UNAUTHORIZED, ACTION_FAILED, TIMEOUT, CANCELLED */
  async call(
    { name, ownName, inputSchema }: ServerToolFacts,
    input: Readonly<Record<string, unknown>>,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onProgress?: ((message: string) => void) | undefined;
    },
  ): Promise<unknown> {
    const running = await this.ready();
    const { signal, timeoutMs } = options;
    try {
      return await running.connection.call({
        tool: ownName,
        inputSchema,
        input,
        timeoutMs,
        signal,
        onProgress: this.boundedProgress(options.onProgress),
      });
    } catch (error) {
      throw await this.failed(error, running, { name, ...options });
    }
  }

  /** Calls `listener` when {@link known} has changed. @returns ends that */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Ends the server. Never rejects. */
  async close(): Promise<void> {
    this.isOver.abort();
    this.listeners.clear();
    const running = await this.running?.catch(() => undefined);
    await running?.connection.close();
  }

  private async ready(): Promise<Running> {
    if (this.running === undefined) {
      const waitMs = this.notBefore - this.parts.clock.now();
      if (waitMs > PATIENCE_MS) throw unavailable(this.parts.name, this.lastProblem, waitMs);
      this.running = this.start(Math.max(0, waitMs));
      this.running.catch(() => undefined);
    }
    return this.running;
  }

  private async start(waitMs: number): Promise<Running> {
    const { clock, open } = this.parts;
    if (waitMs > 0) await clock.sleep(waitMs, this.isOver.signal).catch(() => undefined);
    let connection: Connection | undefined;
    this.startingSince = clock.now();
    try {
      if (this.isOver.signal.aborted) throw new Error('it was ended');
      connection = await open({
        onErrorLine: this.errorLines(),
        onToolsChanged: () => this.toolsChanged(),
      });
      const running: Running = {
        connection,
        startedAt: clock.now(),
        offered: { tools: [], leftOut: [] },
      };
      await this.readTools(running);
      this.current = running;
      const { ended } = connection;
      void ended.then((problem) => this.ended(running, problem));
      this.changed();
      return running;
    } catch (error) {
      const needed = this.parts.signInNeeded();
      // Why it has ended says more than that it is gone.
      const ended = needed === undefined && connection ? await this.endOf(connection) : undefined;
      await connection?.close();
      this.running = undefined;
      if (needed !== undefined) throw await needed.failure();
      this.count(ended ?? startWords(error, this.wordsOf(error)));
      throw unavailable(this.parts.name, this.lastProblem, 0);
    } finally {
      this.startingSince = undefined;
    }
  }

  private async readTools(running: Running): Promise<void> {
    const { clock, name } = this.parts;
    this.lastListAt = clock.now();
    running.offered = offeredTools(name, await running.connection.listTools());
  }

  /** Reads the list again, soon and not too often. */
  private toolsChanged(): void {
    const running = this.current;
    if (running === undefined || this.isRefreshing || this.isOver.signal.aborted) return;
    this.isRefreshing = true;
    const { clock } = this.parts;
    const waitMs = Math.max(0, this.lastListAt + LEAST_BETWEEN_LISTS_MS - clock.now());
    const refresh = async (): Promise<void> => {
      await clock.sleep(waitMs, this.isOver.signal);
      this.isRefreshing = false;
      const before = JSON.stringify(running.offered);
      await this.readTools(running);
      if (this.current === running && JSON.stringify(running.offered) !== before) this.changed();
    };
    refresh().catch(() => {
      this.isRefreshing = false;
    });
  }

  private ended(running: Running, problem: string): void {
    if (this.current !== running) return;
    this.before = running.offered;
    this.current = undefined;
    this.running = undefined;
    if (this.parts.clock.now() - running.startedAt > STABLE_MS) this.failures = 0;
    this.count(problem);
    // Its group, and whatever of the connection is left.
    void running.connection.close();
  }

  private count(problem: string): void {
    const { clock, log, name } = this.parts;
    this.failures += 1;
    this.lastProblem = problem;
    this.notBefore = clock.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1));
    log.write({
      level: 'warn',
      message: 'an MCP server is not available',
      fields: { server: name, problem },
    });
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private async failed(
    error: unknown,
    { connection }: Running,
    {
      name,
      timeoutMs,
      signal,
    }: { readonly name: string; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<DeskterityError> {
    const needed = isSignInDemand(error) ? this.parts.signInNeeded() : undefined;
    if (needed !== undefined) return needed.failure();
    return callFailure(error, {
      server: this.parts.name,
      tool: name,
      timeoutMs,
      isCancelled: signal.aborted,
      words: this.wordsOf(error),
      ended: () => this.endOf(connection),
    });
  }

  /** Why a connection has ended, or is just ending. */
  private async endOf({ ended }: Connection): Promise<string | undefined> {
    return (await within(this.parts.clock, ended, END_NOTICE_MS))?.value;
  }

  /** What an error says, without secrets, on one line. */
  private wordsOf(error: unknown): string {
    return reveal(clip(redact(errorWords(error), this.secrets), 500));
  }

  private errorLines(): (line: string) => void {
    const { log, name } = this.parts;
    let count = 0;
    return (line) => {
      count += 1;
      if (count > MOST_ERROR_LINES) return;
      const text = reveal(clip(redact(line, this.secrets), 500));
      log.write({ level: 'debug', message: 'an MCP server reports', fields: { server: name, text } });
    };
  }

  private boundedProgress(onProgress: ((message: string) => void) | undefined): (message: string) => void {
    let last = Number.NEGATIVE_INFINITY;
    return (message) => {
      const now = this.parts.clock.now();
      if (now - last < 1000 / MOST_PROGRESS_PER_SECOND) return;
      last = now;
      const { name } = this.parts;
      onProgress?.(`${name}: ${reveal(clip(redact(message, this.secrets), 200))}`);
    };
  }
}
