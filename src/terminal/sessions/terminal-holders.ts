import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalRecord } from '../../model/terminals/terminal-record.ts';
import type { HolderConnection } from '../../operations/holder/holder-connection.ts';
import { HolderLinks } from '../../operations/holder/holder-links.ts';
import { programOf } from '../../operations/holder/start-holder.ts';
import { isNotDelivered } from '../../operations/operations.ts';
import type { OperationsParts } from '../../operations/operation-parts.ts';
import type { TerminalStart } from '../../ports/terminals.ts';
import {
  changesNothing,
  type TerminalAnswers,
  type TerminalHolderRequest,
} from '../../wire/terminal-protocol.ts';
import { unknownTerminal } from '../failures.ts';
import type { TerminalRecords } from './terminal-records.ts';

/** For requests that a holder answers at once. */
export const ANSWER_LIMIT_MS = 10_000;
/** A holder may exit between being found and being called. */
const MAX_TRIES = 3;
const POLL_MS = 50;
const MAX_LOOKS = 10;

export type SingleTerminalRequest = Exclude<TerminalHolderRequest, { readonly do: 'open' | 'list' }>;

/** Finds the holder of a terminal and sends it requests. */
export class TerminalHolders {
  readonly links: HolderLinks;
  private readonly parts: OperationsParts;
  readonly records: TerminalRecords;
  /** Cached sockets by terminal id; a terminal never moves. */
  private readonly sockets = new Map<string, string>();

  constructor(parts: OperationsParts, records: TerminalRecords) {
    this.parts = parts;
    this.records = records;
    this.links = new HolderLinks(parts.stateFolder, parts.restMs);
  }

  /**
   * Sends a request to the holder of a terminal.
   * @throws DeskterityError from the holder; TERMINAL_NOT_FOUND if the terminal has ended, DAEMON_UNAVAILABLE if the holder does not respond, TIMEOUT, and the signal's reason
   */
  async ask<Ask extends SingleTerminalRequest>(
    id: string,
    ask: Ask,
    limitMs = ANSWER_LIMIT_MS,
    signal?: AbortSignal,
  ): Promise<TerminalAnswers[Ask['do']]> {
    try {
      const connection = await this.connectionOf(id);
      return await withLimit(connection, ask, limitMs, signal);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const isDelivered = error.delivered === true;
      if (await this.hasEnded(id)) throw unknownTerminal(id, isDelivered && !changesNothing(ask));
      throw isDelivered ? connectionLost(ask) : error;
    }
  }

  /** @throws DeskterityError */
  async askAt<Ask extends TerminalHolderRequest>(
    socket: string,
    ask: Ask,
    limitMs: number,
  ): Promise<TerminalAnswers[Ask['do']]> {
    return withLimit(await this.connectionAt(socket), ask, limitMs, undefined);
  }

  /** Opens a terminal in the holder of its project, which is started if necessary. @throws DeskterityError */
  async open(start: TerminalStart, limitMs: number): Promise<TerminalAnswers['open']> {
    for (let tries = 1; ; tries += 1) {
      const known = await this.records.named(start.name);
      const other = known === undefined ? undefined : await this.links.find(known.holder.socket);
      const connection = other ?? (await this.links.open(programOf(this.parts, start.name.projectPath)));
      try {
        return await withLimit(connection, { do: 'open', start }, limitMs, undefined);
      } catch (error) {
        if (!isNotDelivered(error) || tries === MAX_TRIES) throw error;
        connection.end();
        await connection.closed;
      }
    }
  }

  /** Ends the processes that a dead holder left behind. @throws DeskterityError */
  async endLeftovers({ project_path, terminal_id, process }: TerminalRecord): Promise<void> {
    const connection = await this.links.open(programOf(this.parts, project_path));
    const leader = { pid: process.pid, startTime: process.start_time };
    await connection.call({ type: 'end', operation: terminal_id, leader });
  }

  /** The socket of the holder of a running terminal. @throws DeskterityError TERMINAL_NOT_FOUND */
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

  /** For use after a lost connection: the process of a killed holder remains for a moment after its sockets have closed. */
  async hasEnded(id: string): Promise<boolean> {
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      if (!(await this.isLiving(id))) return true;
      await sleep(POLL_MS);
    }
    return false;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND, DAEMON_UNAVAILABLE */
  async connectionOf(id: string): Promise<HolderConnection> {
    return this.connectionAt(await this.socketOf(id));
  }

  private async connectionAt(socket: string): Promise<HolderConnection> {
    const connection = await this.links.find(socket);
    if (connection === undefined) throw notAnswering();
    return connection;
  }
}

async function withLimit<Ask extends TerminalHolderRequest>(
  connection: HolderConnection,
  ask: Ask,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<TerminalAnswers[Ask['do']]> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLate(limitMs, ask)), limitMs);
  const either = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
  try {
    return await connection.request(ask, either);
  } finally {
    clearTimeout(timer);
  }
}

function isUnavailable(error: unknown): error is DeskterityError {
  return error instanceof DeskterityError && error.code === 'DAEMON_UNAVAILABLE';
}

export function notAnswering(): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder of this terminal does not respond.', {
    suggestion: 'It may belong to another version of Deskterity: use that version or end the holder.',
    retryable: true,
    delivered: false,
  });
}

function connectionLost(request: TerminalHolderRequest): DeskterityError {
  return new DeskterityError(
    'DAEMON_UNAVAILABLE',
    'The connection to the holder of this terminal was lost before it answered.',
    unanswered(request),
  );
}

function tooLate(limitMs: number, request: TerminalHolderRequest): DeskterityError {
  return new DeskterityError(
    'TIMEOUT',
    `The terminal did not respond within ${limitMs} ms.`,
    unanswered(request),
  );
}

function unanswered(request: TerminalHolderRequest) {
  if (changesNothing(request)) return { suggestion: 'Try again.', retryable: true, delivered: false };
  return {
    suggestion:
      'The request was sent and may have been carried out: look with action "info" or "read" before you repeat it.',
    delivered: true,
  };
}
