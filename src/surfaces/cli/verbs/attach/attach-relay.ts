import type { Duplex } from 'node:stream';
import { RecordReader, encodeRecord } from '../../../../wire/attach-records.ts';
import type { AttachmentEnd, AttachRecord } from '../../../../wire/attach-records.ts';
import type { UserTerminal } from './attach-terminal.ts';
import type { DetachKeys } from './detach-keys.ts';

/** Why it ended: the detach keys, the terminal or the daemon, a signal, or this terminal was closed. */
export type RelayEnd = AttachmentEnd | { readonly kind: 'left' | 'gone' | 'interrupted' | 'hung-up' };

export interface RelayParts {
  readonly terminal: UserTerminal;
  readonly stream: Duplex;
  readonly keys: DetachKeys;
  readonly signal: AbortSignal;
  /** Discards input typed before the first output: it was meant for another window. */
  readonly discardsEarlyInput: boolean;
}

/** Relays bytes between the user's terminal, already in raw mode, and one of ours until either ends. The caller restores the terminal. */
export async function relay({
  terminal,
  stream,
  keys,
  signal,
  discardsEarlyInput,
}: RelayParts): Promise<RelayEnd> {
  const reader = new RecordReader();
  let isShown = false;
  let unwritten = 0;
  let ended: AttachmentEnd | undefined;
  const cleanUp: (() => void)[] = [];
  const send = (record: AttachRecord) => {
    if (!stream.destroyed) stream.write(encodeRecord(record));
  };
  const end = await new Promise<RelayEnd>((resolve) => {
    const settle = () => {
      if (ended !== undefined && unwritten === 0) resolve(ended);
    };
    const show = (bytes: Uint8Array) => {
      if (!isShown && discardsEarlyInput) terminal.discardTyped();
      isShown = true;
      unwritten += 1;
      const hasRoom = terminal.write(bytes, (isWritten) => {
        unwritten -= 1;
        if (!isWritten) resolve({ kind: 'hung-up' });
        stream.resume();
        settle();
      });
      if (!hasRoom) stream.pause();
    };
    const onPiece = (piece: Buffer) => {
      try {
        for (const record of reader.push(piece)) {
          if (record.type === 'bytes') show(record.bytes);
          else if (record.type === 'end') ended = record;
        }
        settle();
      } catch {
        resolve({ kind: 'gone' });
      }
    };
    const onTyped = (piece: Buffer) => {
      const { typed, isDetached } = keys.push(piece);
      if (typed.length > 0 && (isShown || !discardsEarlyInput)) send({ type: 'bytes', bytes: typed });
      if (isDetached) resolve({ kind: 'left' });
    };
    const onClose = () => (ended === undefined ? resolve({ kind: 'gone' }) : undefined);
    const onHangUp = () => resolve({ kind: 'hung-up' });
    const onAbort = () => resolve({ kind: 'interrupted' });
    stream
      .on('data', onPiece)
      .on('close', onClose)
      .on('end', onClose)
      .on('error', () => undefined);
    terminal.input.on('data', onTyped).on('end', onHangUp).on('error', onHangUp);
    signal.addEventListener('abort', onAbort, { once: true });
    cleanUp.push(
      terminal.onResize(() => send({ type: 'size', ...terminal.size })),
      handleStopSignals(terminal, () => send({ type: 'redraw' })),
      () => terminal.input.off('data', onTyped).off('end', onHangUp).off('error', onHangUp),
      () => signal.removeEventListener('abort', onAbort),
    );
    if (signal.aborted) onAbort();
    send({ type: 'size', ...terminal.size });
    stream.resume();
    // Waiting for the first key may have paused it.
    terminal.input.resume();
  });
  for (const step of cleanUp) step();
  stream.destroy();
  return end;
}

/** Restores the terminal while this process is stopped by a signal. */
function handleStopSignals(terminal: UserTerminal, redraw: () => void): () => void {
  const onStop = () => void terminal.restore().then(() => process.kill(process.pid, 'SIGSTOP'));
  const onContinue = () => {
    terminal.enterRawMode();
    terminal.input.resume();
    redraw();
  };
  process.on('SIGTSTP', onStop).on('SIGCONT', onContinue);
  return () => process.off('SIGTSTP', onStop).off('SIGCONT', onContinue);
}
