import type { Duplex } from 'node:stream';
import { DeskterityError } from '../../model/effects/errors.ts';
import { boundedSize } from '../../model/terminals/terminal-bounds.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { TerminalAttachment } from '../../ports/terminals/attachments.ts';
import type { AttachedTerminal } from '../../ports/terminals.ts';
import { RecordReader, encodeRecord } from '../../wire/attach-records.ts';
import type { AttachmentEnd, AttachRecord } from '../../wire/attach-records.ts';

/** What may be typed ahead of a program that does not read. */
const MOST_UNTAKEN_BYTES = 1024 * 1024;
const BELL = Buffer.of(7);
/** For the last record to be read. */
const LAST_BYTES_MS = 2000;

/**
 * Attaches the client of a connection to a terminal until it goes, or the terminal ends. What is typed goes through here and is kept and
 * written down nowhere.
 */
export function serveAttachment(connection: Duplex, attachment: TerminalAttachment): void {
  const visit = new Visit(connection, attachment);
  const reader = new RecordReader();
  connection
    .on('data', (piece: Buffer) => {
      try {
        for (const record of reader.push(piece)) visit.take(record);
      } catch {
        // Not what a client of ours says.
        connection.destroy();
      }
    })
    // Its reason does not matter; 'close' follows.
    .on('error', () => undefined)
    .on('end', () => connection.destroy())
    .on('close', () => visit.end())
    .resume();
}

class Visit {
  private readonly connection: Duplex;
  private readonly attachment: TerminalAttachment;
  private readonly gone = new AbortController();
  private size: TerminalSize | undefined;
  /** Changes whenever the screen is drawn anew: what comes from the one before is too late. */
  private turn = 0;
  private attached: Promise<AttachedTerminal | undefined> = Promise.resolve(undefined);
  private typing: Promise<void> = Promise.resolve();
  private untaken = 0;

  constructor(connection: Duplex, attachment: TerminalAttachment) {
    this.connection = connection;
    this.attachment = attachment;
  }

  take(record: AttachRecord): void {
    switch (record.type) {
      case 'size':
        this.resize(record);
        return;
      case 'bytes':
        this.type(record.bytes);
        return;
      case 'redraw':
        if (this.size !== undefined) this.attach(this.size);
        return;
      default:
        throw new Error('that is for the daemon to say');
    }
  }

  /** The client has gone. */
  end(): void {
    this.turn += 1;
    this.gone.abort();
    void this.attached.then((terminal) => terminal?.detach());
    this.attachment.leave();
  }

  private resize(asked: TerminalSize): void {
    const size = boundedSize(asked);
    const isFirst = this.size === undefined;
    this.size = size;
    if (isFirst) this.attach(size);
    else this.withTerminal((terminal) => terminal.resize(size));
  }

  private type(bytes: Uint8Array): void {
    if (this.untaken + bytes.length > MOST_UNTAKEN_BYTES) {
      this.send({ type: 'bytes', bytes: BELL });
      return;
    }
    this.untaken += bytes.length;
    this.typing = this.typeAfter(this.typing, bytes);
  }

  private async typeAfter(before: Promise<void>, bytes: Uint8Array): Promise<void> {
    await before;
    try {
      const terminal = await this.attached;
      // It may never be taken, where nobody reads.
      if (!this.gone.signal.aborted) await terminal?.write(bytes);
    } catch {
      this.send({ type: 'bytes', bytes: BELL });
    } finally {
      this.untaken -= bytes.length;
    }
  }

  private withTerminal(step: (terminal: AttachedTerminal) => Promise<void>): void {
    this.attached
      .then((terminal) => terminal && step(terminal))
      // It has ended, which is told otherwise.
      .catch(() => undefined);
  }

  private attach(size: TerminalSize): void {
    this.turn += 1;
    const { turn, attached: before } = this;
    const begun = before
      .then((terminal) => terminal?.detach())
      .then(() =>
        this.attachment.attach({
          size,
          signal: this.gone.signal,
          onBytes: (bytes) => (turn === this.turn ? this.show(bytes) : undefined),
        }),
      );
    this.attached = begun.catch(() => undefined);
    void this.follow(begun, turn);
  }

  private async follow(begun: Promise<AttachedTerminal>, turn: number): Promise<void> {
    let end: AttachmentEnd;
    try {
      end = await (await begun).ended;
    } catch (error) {
      end = { kind: 'failed', message: messageOf(error) };
    }
    if (turn === this.turn) this.finish(end);
  }

  /** One who is slow to read holds up nobody but themselves. */
  private show(bytes: Uint8Array): Promise<void> | undefined {
    if (this.send({ type: 'bytes', bytes })) return undefined;
    return new Promise((resolve) => {
      const go = () => {
        this.connection.off('drain', go).off('close', go);
        resolve();
      };
      this.connection.on('drain', go).on('close', go);
    });
  }

  private finish(end: AttachmentEnd): void {
    this.turn += 1;
    const { connection } = this;
    if (connection.destroyed) return;
    connection.end(encodeRecord({ type: 'end', ...end }));
    setTimeout(() => connection.destroy(), LAST_BYTES_MS).unref();
  }

  /** Whether more may follow at once. */
  private send(record: AttachRecord): boolean {
    const { connection } = this;
    return connection.destroyed || connection.writableEnded || connection.write(encodeRecord(record));
  }
}

function messageOf(error: unknown): string {
  return error instanceof DeskterityError
    ? `${error.message} ${error.suggestion}`
    : 'The terminal could not be shown; the log may say more: desk daemon logs.';
}
