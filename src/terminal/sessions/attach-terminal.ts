import { constants } from 'node:os';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { HolderConnection } from '../../operations/holder/holder-connection.ts';
import { findHolder } from '../../operations/holder/start-holder.ts';
import type { AttachedTerminal, TerminalsPort } from '../../ports/terminals.ts';
import type { TerminalAsk } from '../../wire/terminal-protocol.ts';
import { notAnswering } from './terminal-holders.ts';
import type { TerminalHolders } from './terminal-holders.ts';

type AttachmentEnd = Awaited<AttachedTerminal['ended']>;
type AttachOptions = Parameters<TerminalsPort['attach']>[1];

/** Attaches by a connection of its own: whoever is slow to take what is shown holds up nobody else. @throws DeskterityError TERMINAL_NOT_FOUND, DAEMON_UNAVAILABLE */
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
  const give = (bytes: Uint8Array) => {
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
  connection.onNews((news) => {
    if (news.news === 'bytes') give(news.bytes);
    else if (news.news === 'exited') {
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
    await connection.ask({ do: 'attach', terminal: id, size });
    // The answer comes behind the first of the screen, and must not wait for that to be taken.
    isAnswered = true;
    if (pending > 0) connection.pause();
  } catch (error) {
    connection.end();
    throw error;
  }
  return {
    write: async (bytes) => tell(connection, { do: 'write', terminal: id, bytes, byPerson: true }),
    resize: async (to: TerminalSize) => tell(connection, { do: 'resize', terminal: id, size: to }),
    detach,
    ended,
  };
}

async function tell(connection: HolderConnection, ask: TerminalAsk): Promise<void> {
  await connection.ask(ask);
}

/** Its holder has written down how its shell ended before it tells of it. */
async function exited(holders: TerminalHolders, id: string): Promise<AttachmentEnd> {
  const record = await holders.records.read(id).catch(() => undefined);
  return { kind: 'exited', exitCode: exitCodeOf(record ?? {}) };
}

/** A signal counts as shells count it. */
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
