import { mentionParameter } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { MAX_CLIPBOARD_BYTES } from '../../../../../ports/clipboard.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { STRUCTURE_NOTIFY, type XEvent } from '../x11-library.ts';
import { cancelled } from '../../../failures.ts';
import { EventQueue, type SelectionClient } from './selection-client.ts';
import { clip, quote } from '../../../../../model/text/untrusted-text.ts';
import { OWN_BITS } from '../windows/point-content.ts';
import { numbersOf, readProperty, textOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

/** Size of one read of a property, in four-byte units. */
const SLICE = 1 << 16;
const ANY_TYPE = 0;
const SET = 0;

/** Data from an owner, with the type it claims. */
export interface SelectionData {
  readonly type: number;
  readonly format: number;
  readonly data: Buffer;
}

/** Reads one owner's clipboard content. The owner is not trusted: it may not reply, send a wrong type, or never end. */
export class SelectionReader {
  readonly #client: SelectionClient;
  readonly #owner: number;
  readonly #events: EventQueue;

  private constructor(client: SelectionClient, owner: number) {
    this.#client = client;
    this.#owner = owner;
    this.#events = new EventQueue(client.wire, (event) => this.#concerns(event));
  }

  /** `undefined` if the clipboard has no owner. */
  static async open(client: SelectionClient): Promise<SelectionReader | undefined> {
    const owner = await client.ownerOf(client.clipboard);
    if (owner === 0) return undefined;
    const reader = new SelectionReader(client, owner);
    const isWatched = await client.wire.accepts('ChangeWindowAttributes', owner, {
      eventMask: STRUCTURE_NOTIFY,
    });
    if (isWatched) return reader;
    reader.end();
    return undefined;
  }

  /** `undefined` if the owner refuses. @throws DeskterityError TIMEOUT, CLIPBOARD_EMPTY when the owner exits, ACTION_FAILED when it sends too much */
  async convert(target: number, options: CallOptions): Promise<SelectionData | undefined> {
    const client = this.#client;
    await client.convert(client.clipboard, target);
    for (;;) {
      const event = await this.#next(options);
      if (event.name !== 'SelectionNotify' || event.target !== target) continue;
      if (event.property === 0) return undefined;
      if (event.property === client.wire.atom('_DESKTERITY_SELECTION')) break;
    }
    const first = await this.#take(MAX_CLIPBOARD_BYTES);
    return first?.type === client.wire.atom('INCR') ? this.#takePieces(options) : first;
  }

  end(): void {
    this.#events.end();
  }

  async #takePieces(options: CallOptions): Promise<SelectionData | undefined> {
    const pieces: Buffer[] = [];
    let kind: SelectionData | undefined;
    let total = 0;
    for (;;) {
      const event = await this.#next(options);
      if (event.name !== 'PropertyNotify') continue;
      const piece = await this.#take(MAX_CLIPBOARD_BYTES - total);
      if (piece === undefined) continue;
      kind ??= piece;
      if (piece.data.length === 0) return { ...kind, data: Buffer.concat(pieces) };
      pieces.push(piece.data);
      total += piece.data.length;
    }
  }

  /** Reads and deletes the property, which requests the next piece of an incremental transfer. `undefined` if there is none. */
  async #take(limit: number): Promise<SelectionData | undefined> {
    const client = this.#client;
    const property = client.wire.atom('_DESKTERITY_SELECTION');
    const slices: Buffer[] = [];
    let read = 0;
    for (;;) {
      const offset = read / 4;
      const reply = await client.wire.call(
        'GetProperty',
        1,
        client.window,
        property,
        ANY_TYPE,
        offset,
        SLICE,
      );
      if (reply.type === 0) return undefined;
      read += reply.data.length;
      if (read + reply.bytesAfter > limit) throw await this.#tooMuch();
      slices.push(reply.data);
      if (reply.bytesAfter === 0 || reply.data.length === 0)
        return { type: reply.type, format: reply.format, data: Buffer.concat(slices) };
    }
  }

  #concerns({ name, wid, atom, state, requestor, selection }: XEvent): boolean {
    const { window } = this.#client;
    if (name === 'DestroyNotify') return wid === this.#owner;
    if (name === 'SelectionNotify') return requestor === window && selection === this.#client.clipboard;
    const isOurs = wid === window && atom === this.#client.wire.atom('_DESKTERITY_SELECTION');
    return name === 'PropertyNotify' && isOurs && state === SET;
  }

  async #next(options: CallOptions): Promise<XEvent> {
    // A live deadline never falls below one millisecond.
    const event = options.deadlineMs <= 1 ? undefined : await this.#events.next(options);
    if (event === undefined) throw await this.#noData(options);
    if (event.name === 'DestroyNotify')
      throw new DeskterityError(
        'CLIPBOARD_EMPTY',
        'The program that owned the clipboard exited before it had sent the content.',
        { suggestion: 'Copy again, or repeat the command.', retryable: true },
      );
    return event;
  }

  async #noData({ signal }: CallOptions): Promise<DeskterityError> {
    if (signal?.aborted === true) return cancelled('Cancelled while reading the clipboard.');
    const name = await selectionOwnerName(this.#client.wire, this.#owner);
    return new DeskterityError(
      'TIMEOUT',
      `The owner of the clipboard, ${name}, did not send its content in time.`,
      {
        suggestion: `Check whether it is frozen, or raise ${mentionParameter('timeout_ms')}.`,
        retryable: true,
      },
    );
  }

  async #tooMuch(): Promise<DeskterityError> {
    const name = await selectionOwnerName(this.#client.wire, this.#owner);
    const mebibytes = MAX_CLIPBOARD_BYTES / 1_048_576;
    return new DeskterityError(
      'ACTION_FAILED',
      `The owner of the clipboard, ${name}, sent more than ${mebibytes} MiB; reading was aborted.`,
      { suggestion: 'Copy less, or save it to a file in that application.' },
    );
  }
}

const LONGEST = 80;

/** A readable name for a selection owner. Owner windows are rarely visible, so another window of the same client may provide it. */
async function selectionOwnerName(wire: X11Wire, owner: number): Promise<string> {
  const id = `the X window 0x${owner.toString(16)}`;
  try {
    const windows = numbersOf(await readProperty(wire, wire.root, '_NET_CLIENT_LIST'));
    const family = windows.filter((window) => window >>> OWN_BITS === owner >>> OWN_BITS);
    for (const window of [owner, ...family]) {
      const [title, plainTitle, pid] = await Promise.all([
        readProperty(wire, window, '_NET_WM_NAME'),
        readProperty(wire, window, 'WM_NAME'),
        readProperty(wire, window, '_NET_WM_PID'),
      ]);
      const name = textOf(wire, title) ?? textOf(wire, plainTitle);
      const [number] = numbersOf(pid);
      if (name === undefined || name === '') continue;
      return `${quote(clip(name, LONGEST))}${number === undefined ? '' : ` (process ${number})`}`;
    }
    return id;
  } catch {
    return id;
  }
}
