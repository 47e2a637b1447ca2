import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalRecord } from '../../model/terminals/terminal-record.ts';
import type { HolderConnection } from '../../operations/holder/holder-connection.ts';
import { HolderLinks } from '../../operations/holder/holder-links.ts';
import { programOf } from '../../operations/holder/holder-program.ts';
import { isNotDelivered } from '../../operations/operations.ts';
import type { OperationsParts } from '../../operations/operation-parts.ts';
import type { TerminalStart } from '../../ports/terminals.ts';
import type { TerminalAnswers, TerminalAsk } from '../../wire/terminal-protocol.ts';
import { unknownTerminal } from '../failures.ts';
import type { TerminalRecords } from './terminal-records.ts';

/** For what a holder has at hand. */
export const ANSWER_LIMIT_MS = 10_000;
/** A holder may leave, or be killed, between being found and being asked. */
const MOST_TRIES = 3;
const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 10;

export type AskOfOne = Exclude<TerminalAsk, { readonly do: 'open' | 'list' }>;

/** The holders of terminals, asked by the ids of these. */
export class TerminalHolders {
  readonly links: HolderLinks;
  private readonly parts: OperationsParts;
  readonly records: TerminalRecords;
  /** Where a terminal is kept never changes. */
  private readonly sockets = new Map<string, string>();

  constructor(parts: OperationsParts, records: TerminalRecords) {
    this.parts = parts;
    this.records = records;
    this.links = new HolderLinks(parts.stateFolder, parts.restMs);
  }

  /**
   * Asks the holder of a terminal.
   * @throws DeskterityError as it answers; TERMINAL_NOT_FOUND when it is gone, DAEMON_UNAVAILABLE when it does not speak, TIMEOUT, and what the signal was aborted with
   */
  async ask<Ask extends AskOfOne>(
    id: string,
    ask: Ask,
    limitMs = ANSWER_LIMIT_MS,
    signal?: AbortSignal,
  ): Promise<TerminalAnswers[Ask['do']]> {
    try {
      const connection = await this.connectionOf(id);
      return await withLimit(connection, ask, limitMs, signal);
    } catch (error) {
      if (isUnavailable(error) && (await this.hasEnded(id))) throw unknownTerminal(id);
      throw error;
    }
  }

  /** @throws DeskterityError */
  async askAt<Ask extends TerminalAsk>(
    socket: string,
    ask: Ask,
    limitMs: number,
  ): Promise<TerminalAnswers[Ask['do']]> {
    const connection = await this.links.find(socket);
    if (connection === undefined) throw notAnswering();
    return withLimit(connection, ask, limitMs, undefined);
  }

  /** Asks the holder of a project, which is started where there is none. @throws DeskterityError */
  async open(start: TerminalStart, limitMs: number): Promise<TerminalAnswers['open']> {
    for (let tries = 1; ; tries += 1) {
      const known = await this.records.named(start.name);
      const other = known === undefined ? undefined : await this.links.find(known.holder.socket);
      const connection = other ?? (await this.links.open(programOf(this.parts, start.name.projectPath)));
      try {
        return await withLimit(connection, { do: 'open', start }, limitMs, undefined);
      } catch (error) {
        if (!isNotDelivered(error) || tries === MOST_TRIES) throw error;
        connection.end();
        await connection.closed;
      }
    }
  }

  /** Ends what a holder has left behind that is gone. @throws DeskterityError */
  async endLeftovers({ project_path, terminal_id, process }: TerminalRecord): Promise<void> {
    const connection = await this.links.open(programOf(this.parts, project_path));
    const leader = { pid: process.pid, startTime: process.start_time };
    await connection.call({ type: 'end', operation: terminal_id, leader });
  }

  /** Where the holder of a living terminal listens. @throws DeskterityError TERMINAL_NOT_FOUND */
  async socketOf(id: string): Promise<string> {
    const known = this.sockets.get(id);
    if (known !== undefined) return known;
    const record = await this.records.find(id);
    if (!this.records.isLiving(record)) throw unknownTerminal(id);
    this.sockets.set(id, record.holder.socket);
    return record.holder.socket;
  }

  async isLiving(id: string): Promise<boolean> {
    const record = await this.records.read(id);
    const isLiving = record !== undefined && this.records.isLiving(record);
    if (!isLiving) this.sockets.delete(id);
    return isLiving;
  }

  /** For whoever has lost the connection: a holder that was killed is still there for a moment when its sockets are closed already. */
  async hasEnded(id: string): Promise<boolean> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      if (!(await this.isLiving(id))) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND, DAEMON_UNAVAILABLE */
  async connectionOf(id: string): Promise<HolderConnection> {
    const connection = await this.links.find(await this.socketOf(id));
    if (connection === undefined) throw notAnswering();
    return connection;
  }
}

async function withLimit<Ask extends TerminalAsk>(
  connection: HolderConnection,
  ask: Ask,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<TerminalAnswers[Ask['do']]> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLate(limitMs)), limitMs);
  const either = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
  try {
    return await connection.ask(ask, either);
  } finally {
    clearTimeout(timer);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'DAEMON_UNAVAILABLE';
}

export function notAnswering(): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder of this terminal does not answer.', {
    suggestion: 'It may be of another version of Deskterity: use that one, or end the holder.',
    retryable: true,
    delivered: false,
  });
}

function tooLate(limitMs: number): DeskterityError {
  return new DeskterityError('TIMEOUT', `The terminal has not answered within ${limitMs} ms.`, {
    suggestion: 'Look at it with action "info" or "read", then try again.',
    retryable: true,
  });
}
