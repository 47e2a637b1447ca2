import type { Duplex } from 'node:stream';
import { CallFailure } from '../../daemon/call-failure.ts';
import { exitCodeOfLost, tryToWrite } from '../../printing/output.ts';
import type { VerbContext } from '../verb.ts';

/** For a person who runs the command in a terminal and sees nothing happen. */
const HINT =
  'desk mcp reads and writes JSON-RPC; it is meant to be started by an MCP client. Press Ctrl-C to end it.\n';

const NEWLINE = 10;

/** Why it ended: standard output closed or failed, a signal, or the server ended, after answering everything or unexpectedly. */
type End = 'unread' | 'unwritable' | 'interrupted' | 'answered' | 'gone';

/**
 * Relays bytes between standard input and output and an MCP server until either side ends, with backpressure.
 * @returns the exit code
 * @throws CallFailure DAEMON_UNAVAILABLE if the server ends before standard input does
 */
export async function pipeMcp(context: VerbContext, server: Duplex): Promise<number> {
  const { stdin, stderr } = context;
  if ('isTTY' in stdin && stdin.isTTY === true) await tryToWrite(stderr, HINT);
  const { end, detail } = await relay(context, server);
  stdin.unpipe(server).pause();
  server.destroy();
  if (end === 'gone') throw serverGone('The MCP server has closed the connection.', detail);
  if (end !== 'unwritable') return 0;
  await tryToWrite(stderr, 'desk mcp: cannot write to standard output.\n');
  return exitCodeOfLost(0);
}

export function serverGone(message: string, detail?: string): CallFailure {
  const suggestion = 'Start it again. The log may show the cause: desk daemon logs.';
  return new CallFailure('DAEMON_UNAVAILABLE', message, { suggestion, detail });
}

async function relay(
  { stdin, stdout, signal }: VerbContext,
  server: Duplex,
): Promise<{ readonly end: End; readonly detail: string | undefined }> {
  let hasInputEnded = false;
  let hasServerEnded = false;
  /** A server that stops within a message was killed. */
  let isInMessage = false;
  let unwritten = 0;
  let detail: string | undefined;
  const end = await new Promise<End>((resolve) => {
    const stop = () => resolve('interrupted');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const finish = () => {
      if (!hasServerEnded || unwritten > 0) return;
      resolve(hasInputEnded && !isInMessage ? 'answered' : 'gone');
    };
    const onWritten = (error?: Error | null) => {
      unwritten -= 1;
      if (error) resolve('code' in error && error.code === 'ENOSPC' ? 'unwritable' : 'unread');
      finish();
      server.resume();
    };
    server
      .on('data', (piece: Buffer) => {
        isInMessage = piece.at(-1) !== NEWLINE;
        unwritten += 1;
        if (!stdout.write(piece, onWritten)) server.pause();
      })
      .on('end', () => {
        hasServerEnded = true;
        finish();
      })
      .on('error', (error) => {
        detail = error.message;
      })
      .on('close', () => {
        // Closed without an end event: it was killed.
        if (!hasServerEnded) resolve('gone');
      })
      .resume();
    const onInputEnd = () => {
      hasInputEnded = true;
      server.end();
    };
    // A read error ends the input.
    stdin.on('end', onInputEnd).on('error', onInputEnd);
    stdin.pipe(server, { end: false });
  });
  return { end, detail };
}
