import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import { parseJson } from '../../../../../model/parse-json.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { displayUnavailable, withinDeadline } from '../wire/wayland-errors.ts';

const MAGIC = Buffer.from('i3-ipc');
const HEADER_BYTES = MAGIC.length + 8;
/** Far above the tree of a crowded desktop. */
const MOST_BYTES = 16 * 1024 * 1024;
const EVENT_BIT = 0x8000_0000;

const KINDS = { command: 0, subscribe: 2, outputs: 3, tree: 4, version: 7 } as const;
export type IpcKind = keyof typeof KINDS;

const Results = z.array(z.object({ success: z.boolean(), error: z.string().optional() })).min(1);

interface Waiting {
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The IPC of sway: questions are answered in order. After a loss every call rejects. */
export class SwayIpc {
  readonly #display: string;
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  readonly #onEvent: ((data: unknown) => void) | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #loss: DeskterityError | undefined;
  #lossListener: ((reason: DeskterityError) => void) | undefined;

  private constructor(display: string, socket: Socket, onEvent: ((data: unknown) => void) | undefined) {
    this.#display = display;
    this.#socket = socket;
    this.#onEvent = onEvent;
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('error', (error) => this.#lose(error.message));
    socket.on('close', () => this.#lose('sway closed its IPC connection'));
  }

  /**
   * @param onEvent receives the events that the connection subscribes to
   * @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, CANCELLED
   */
  static async connect(
    { display, path }: { readonly display: string; readonly path: string },
    options: CallOptions,
    onEvent?: (data: unknown) => void,
  ): Promise<SwayIpc> {
    const socket = connect({ path });
    const opened = new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', (error) =>
        reject(displayUnavailable(display, `its IPC socket cannot be used: ${error.message}`)),
      );
    });
    try {
      await withinDeadline(opened, display, 'connecting to sway', options);
      return new SwayIpc(display, socket, onEvent);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** The answer as JSON. @throws DeskterityError */
  ask(kind: IpcKind, payload: string, doing: string, options: CallOptions): Promise<unknown> {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#loss !== undefined) {
        reject(this.#loss);
        return;
      }
      this.#waiting.push({ resolve, reject });
      const body = Buffer.from(payload);
      const header = Buffer.alloc(HEADER_BYTES);
      header.set(MAGIC);
      header.writeUInt32LE(body.length, MAGIC.length);
      header.writeUInt32LE(KINDS[kind], MAGIC.length + 4);
      this.#socket.write(Buffer.concat([header, body]));
    });
    return withinDeadline(answer, this.#display, doing, options);
  }

  /** Runs one command. @returns the complaint of sway; `undefined` if there is none */
  async run(command: string, doing: string, options: CallOptions): Promise<string | undefined> {
    const results = Results.parse(await this.ask('command', command, doing, options));
    const failed = results.find(({ success }) => !success);
    return failed && (failed.error ?? 'it gave no reason');
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    if (this.#loss !== undefined) listener(this.#loss);
    else this.#lossListener = listener;
  }

  close(): void {
    this.#lossListener = undefined;
    this.#lose('the connection was closed');
  }

  #received(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= HEADER_BYTES) {
      const length = bytes.readUInt32LE(MAGIC.length);
      if (!bytes.subarray(0, MAGIC.length).equals(MAGIC) || length > MOST_BYTES) {
        this.#lose('sway broke the protocol of its IPC');
        return;
      }
      if (bytes.length < HEADER_BYTES + length) break;
      const kind = bytes.readUInt32LE(MAGIC.length + 4);
      const data = parseJson(bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + length));
      bytes = bytes.subarray(HEADER_BYTES + length);
      if (kind >= EVENT_BIT) this.#onEvent?.(data);
      else this.#waiting.shift()?.resolve(data);
    }
    this.#rest = bytes;
  }

  #lose(reason: string): void {
    if (this.#loss !== undefined) return;
    this.#loss = displayUnavailable(this.#display, reason, true);
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#loss);
    this.#lossListener?.(this.#loss);
  }
}
