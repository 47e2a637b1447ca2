import type { Duplex } from 'node:stream';
import { RecordReader, encodeRecord } from '../../../../wire/attach-records.ts';
import type { AttachmentEnd, AttachRecord } from '../../../../wire/attach-records.ts';
import type { BorrowedTerminal } from './attach-terminal.ts';
import type { DetachKeys } from './detach-keys.ts';

/** How it came to an end: by the keys, by the terminal or the daemon, by a signal, or because this terminal is gone. */
export type VisitEnd = AttachmentEnd | { readonly kind: 'left' | 'gone' | 'interrupted' | 'hung-up' };

export interface VisitParts {
  readonly terminal: BorrowedTerminal;
  readonly stream: Duplex;
  readonly keys: DetachKeys;
  readonly signal: AbortSignal;
  /** What is typed before anything is shown was meant for something else. */
  readonly dropsFirst: boolean;
}

/** Carries bytes between a terminal of a person and one of ours until either ends. The terminal is borrowed by then, and given back by the caller. */
export async function visit({ terminal, stream, keys, signal, dropsFirst }: VisitParts): Promise<VisitEnd> {
  const reader = new RecordReader();
  let isShown = false;
  let unwritten = 0;
  let told: AttachmentEnd | undefined;
  const cleanUp: (() => void)[] = [];
  const send = (record: AttachRecord) => {
    if (!stream.destroyed) stream.write(encodeRecord(record));
  };
  const end = await new Promise<VisitEnd>((resolve) => {
    const settle = () => {
      if (told !== undefined && unwritten === 0) resolve(told);
    };
    const show = (bytes: Uint8Array) => {
      if (!isShown && dropsFirst) terminal.dropTyped();
      isShown = true;
      unwritten += 1;
      const isTaken = terminal.write(bytes, (isWritten) => {
        unwritten -= 1;
        if (!isWritten) resolve({ kind: 'hung-up' });
        stream.resume();
        settle();
      });
      if (!isTaken) stream.pause();
    };
    const onPiece = (piece: Buffer) => {
      try {
        for (const record of reader.push(piece)) {
          if (record.type === 'bytes') show(record.bytes);
          else if (record.type === 'end') told = record;
        }
        settle();
      } catch {
        resolve({ kind: 'gone' });
      }
    };
    const onTyped = (piece: Buffer) => {
      const { typed, isDetached } = keys.push(piece);
      if (typed.length > 0 && (isShown || !dropsFirst)) send({ type: 'bytes', bytes: typed });
      if (isDetached) resolve({ kind: 'left' });
    };
    const onClose = () => (told === undefined ? resolve({ kind: 'gone' }) : undefined);
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
      followStops(terminal, () => send({ type: 'redraw' })),
      () => terminal.input.off('data', onTyped).off('end', onHangUp).off('error', onHangUp),
      () => signal.removeEventListener('abort', onAbort),
    );
    if (signal.aborted) onAbort();
    send({ type: 'size', ...terminal.size });
    stream.resume();
    // Somebody may have looked for a first key.
    terminal.input.resume();
  });
  for (const step of cleanUp) step();
  stream.destroy();
  return end;
}

/** One who stops this process from outside finds the terminal as it was; going on, it is borrowed again. */
function followStops(terminal: BorrowedTerminal, redraw: () => void): () => void {
  const onStop = () => void terminal.giveBack().then(() => process.kill(process.pid, 'SIGSTOP'));
  const onContinue = () => {
    terminal.borrow();
    terminal.input.resume();
    redraw();
  };
  process.on('SIGTSTP', onStop).on('SIGCONT', onContinue);
  return () => process.off('SIGTSTP', onStop).off('SIGCONT', onContinue);
}
