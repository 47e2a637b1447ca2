import { constants } from 'node:os';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { HolderConnection } from '../../operations/holder/holder-connection.ts';
import { findHolder } from '../../operations/holder/start-holder.ts';
import type { AttachedTerminal, TerminalsPort } from '../../ports/terminals.ts';
import type { TerminalHolderRequest } from '../../wire/terminal-protocol.ts';
import { notAnswering, type TerminalHolders } from './terminal-holders.ts';

type AttachmentEnd = Awaited<AttachedTerminal['ended']>;
type AttachOptions = Parameters<TerminalsPort['attach']>[1];

/** Attaches over a separate connection, so that a slow reader delays nobody else. @throws DeskterityError TERMINAL_NOT_FOUND, DAEMON_UNAVAILABLE */
export async function attachTo(
  holders: TerminalHolders,
  stateFolder: string,
  id: string,
  { size, onBytes, signal }: AttachOptions,
): Promise<AttachedTerminal> {
  signal.throwIfAborted();
  const connection = await findHolder(stateFolder, await holders.socketOf(id));
  if (connection === undefined) throw notAnswering();
  let settle: (how: AttachmentEnd | Promise<AttachmentEnd>) => void = () => undefined;
  const ended = new Promise<AttachmentEnd>((resolve) => {
    settle = resolve;
  });
  const detach = () => {
    settle({ kind: 'detached' });
    connection.end();
  };
  let pending = 0;
  let isAnswered = false;
  const deliver = (bytes: Uint8Array) => {
    const taken = onBytes(bytes);
    if (taken === undefined) return;
    pending += 1;
    if (isAnswered) connection.pause();
    const resume = () => {
      pending -= 1;
      if (pending === 0) connection.resume();
    };
    taken.then(resume, detach);
  };
  connection.onTerminalEvent((event) => {
    if (event.news === 'bytes') deliver(event.bytes);
    else if (event.news === 'exited') {
      settle(exited(holders, id));
      connection.end();
    }
  });
  signal.addEventListener('abort', detach, { once: true });
  const end = async () => {
    await connection.closed;
    signal.removeEventListener('abort', detach);
    settle((await holders.hasEnded(id)) ? exited(holders, id) : { kind: 'detached' });
  };
  void end();
  try {
    await connection.request({ do: 'attach', terminal: id, size });
    // The answer follows the first screen and must not wait until that is consumed.
    isAnswered = true;
    if (pending > 0) connection.pause();
  } catch (error) {
    connection.end();
    throw error;
  }
  return {
    write: async (bytes) => send(connection, { do: 'write', terminal: id, bytes, byPerson: true }),
    resize: async (to: TerminalSize) => send(connection, { do: 'resize', terminal: id, size: to }),
    detach,
    ended,
  };
}

async function send(connection: HolderConnection, ask: TerminalHolderRequest): Promise<void> {
  await connection.request(ask);
}

/** The holder writes the exit code to the record before it reports the end. */
async function exited(holders: TerminalHolders, id: string): Promise<AttachmentEnd> {
  const record = await holders.records.read(id).catch(() => undefined);
  return { kind: 'exited', exitCode: exitCodeOf(record ?? {}) };
}

/** A signal is reported as in shells: 128 + its number. */
function exitCodeOf({
  exit_code: exitCode,
  signal,
}: {
  exit_code?: number;
  signal?: string;
}): number | undefined {
  if (exitCode !== undefined || signal === undefined) return exitCode;
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? undefined : 128 + number;
}
