import type { Duplex } from 'node:stream';
import { CallFailure } from '../../daemon/call-failure.ts';
import { exitCodeOfLost, tryToWrite } from '../../printing/output.ts';
import type { VerbContext } from '../verb.ts';

/** For whoever types the command into a terminal and sees nothing happen. */
const HINT =
  'desk mcp speaks JSON-RPC on standard input and output: an MCP client starts it. Ctrl-C ends it.\n';

const NEWLINE = 10;

/** Why it is over: what standard output said, a signal, or the server, by itself or when everything had been answered. */
type End = 'unread' | 'unwritable' | 'interrupted' | 'answered' | 'gone';

/**
 * Carries bytes between standard input and output and an MCP server until either side ends. No more is read than the other side takes.
 * @returns the exit code
 * @throws CallFailure DAEMON_UNAVAILABLE when the server ends before standard input does
 */
export async function pipeMcp(context: VerbContext, server: Duplex): Promise<number> {
  const { stdin, stderr } = context;
  if ('isTTY' in stdin && stdin.isTTY === true) await tryToWrite(stderr, HINT);
  const { end, detail } = await carry(context, server);
  stdin.unpipe(server).pause();
  server.destroy();
  if (end === 'gone') throw serverGone('The MCP server has ended the connection.', detail);
  if (end !== 'unwritable') return 0;
  await tryToWrite(stderr, 'desk mcp: standard output cannot be written to.\n');
  return exitCodeOfLost(0);
}

export function serverGone(message: string, detail?: string): CallFailure {
  const suggestion = 'Start it again; the log may say more: desk daemon logs.';
  return new CallFailure('DAEMON_UNAVAILABLE', message, { suggestion, detail });
}

async function carry(
  { stdin, stdout, signal }: VerbContext,
  server: Duplex,
): Promise<{ readonly end: End; readonly detail: string | undefined }> {
  let hasInputEnded = false;
  let hasServerEnded = false;
  /** A server that has not finished what it was saying was killed. */
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
        // Without its end: it was killed.
        if (!hasServerEnded) resolve('gone');
      })
      .resume();
    const onInputEnd = () => {
      hasInputEnded = true;
      server.end();
    };
    // What cannot be read any more has ended.
    stdin.on('end', onInputEnd).on('error', onInputEnd);
    stdin.pipe(server, { end: false });
  });
  return { end, detail };
}
