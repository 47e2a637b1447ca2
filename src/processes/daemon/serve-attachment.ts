import type { Duplex } from 'node:stream';
import { DeskterityError } from '../../model/effects/errors.ts';
import { boundedSize } from '../../model/terminals/terminal-bounds.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { TerminalAttachment } from '../../ports/terminals/attachments.ts';
import type { AttachedTerminal } from '../../ports/terminals.ts';
import { RecordReader, encodeRecord } from '../../wire/attach-records.ts';
import type { AttachmentEnd, AttachRecord } from '../../wire/attach-records.ts';

/** Typed bytes that are buffered for a program that does not read. */
const MAX_PENDING_BYTES = 1024 * 1024;
const BELL = Buffer.of(7);
/** Time for the client to read the last record. */
const LAST_BYTES_MS = 2000;

/**
 * Attaches the client of a connection to a terminal until it disconnects or the terminal ends. Typed text passes through here and is never stored
 * or logged.
 */
export function serveAttachment(connection: Duplex, attachment: TerminalAttachment): void {
  const client = new AttachedClient(connection, attachment);
  const reader = new RecordReader();
  connection
    .on('data', (piece: Buffer) => {
      try {
        for (const record of reader.push(piece)) client.take(record);
      } catch {
        // Not from one of our clients.
        connection.destroy();
      }
    })
    // The reason does not matter; 'close' follows.
    .on('error', () => undefined)
    .on('end', () => connection.destroy())
    .on('close', () => client.end())
    .resume();
}

class AttachedClient {
  private readonly connection: Duplex;
  private readonly attachment: TerminalAttachment;
  private readonly gone = new AbortController();
  private size: TerminalSize | undefined;
  /** Increases with every redraw; output of an earlier attachment is dropped. */
  private generation = 0;
  private attached: Promise<AttachedTerminal | undefined> = Promise.resolve(undefined);
  private typing: Promise<void> = Promise.resolve();
  private pendingBytes = 0;

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
        throw new Error('only the daemon may send this record');
    }
  }

  /** The client has disconnected. */
  end(): void {
    this.generation += 1;
    this.gone.abort();
    void this.attached.then((terminal) => terminal?.detach());
    this.attachment.leave();
  }

  private resize(asked: TerminalSize): void {
    const isFirst = this.size === undefined;
    // Some terminals have no size, as in containers and on serial lines: then they show the size that the session has.
    const { columns, rows } = this.size ?? this.attachment.size;
    const size = boundedSize({
      columns: asked.columns > 0 ? asked.columns : columns,
      rows: asked.rows > 0 ? asked.rows : rows,
    });
    this.size = size;
    if (isFirst) this.attach(size);
    else this.withTerminal((terminal) => terminal.resize(size));
  }

  private type(bytes: Uint8Array): void {
    if (this.pendingBytes + bytes.length > MAX_PENDING_BYTES) {
      this.send({ type: 'bytes', bytes: BELL });
      return;
    }
    this.pendingBytes += bytes.length;
    this.typing = this.typeAfter(this.typing, bytes);
  }

  private async typeAfter(before: Promise<void>, bytes: Uint8Array): Promise<void> {
    await before;
    try {
      const terminal = await this.attached;
      // The write may never finish if nothing reads it.
      if (!this.gone.signal.aborted) await terminal?.write(bytes);
    } catch {
      this.send({ type: 'bytes', bytes: BELL });
    } finally {
      this.pendingBytes -= bytes.length;
    }
  }

  private withTerminal(step: (terminal: AttachedTerminal) => Promise<void>): void {
    this.attached
      .then((terminal) => terminal && step(terminal))
      // It has ended, which is reported elsewhere.
      .catch(() => undefined);
  }

  private attach(size: TerminalSize): void {
    this.generation += 1;
    const { generation, attached: before } = this;
    const begun = before
      .then((terminal) => terminal?.detach())
      .then(() =>
        this.attachment.attach({
          size,
          signal: this.gone.signal,
          onBytes: (bytes) => (generation === this.generation ? this.show(bytes) : undefined),
        }),
      );
    this.attached = begun.catch(() => undefined);
    void this.follow(begun, generation);
  }

  private async follow(begun: Promise<AttachedTerminal>, generation: number): Promise<void> {
    let end: AttachmentEnd;
    try {
      end = await (await begun).ended;
    } catch (error) {
      end = { kind: 'failed', message: messageOf(error) };
    }
    if (generation === this.generation) this.finish(end);
  }

  /** Waits for a slow reader, which delays nobody else. */
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
    this.generation += 1;
    const { connection } = this;
    if (connection.destroyed) return;
    connection.end(encodeRecord({ type: 'end', ...end }));
    setTimeout(() => connection.destroy(), LAST_BYTES_MS).unref();
  }

  /** @returns whether more may follow at once */
  private send(record: AttachRecord): boolean {
    const { connection } = this;
    return connection.destroyed || connection.writableEnded || connection.write(encodeRecord(record));
  }
}

function messageOf(error: unknown): string {
  return error instanceof DeskterityError
    ? `${error.message} ${error.suggestion}`
    : 'The terminal could not be displayed; the log may contain details: desk daemon logs.';
}
