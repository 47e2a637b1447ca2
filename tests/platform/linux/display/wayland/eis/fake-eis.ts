import { EiClient } from '../../../../../../src/platform/linux/display/wayland/eis/ei-client.ts';
import type { EiStream } from '../../../../../../src/platform/linux/display/wayland/eis/ei-stream.ts';
import {
  decodeEi,
  EiReader,
  encodeEi,
  type EiValue,
} from '../../../../../../src/platform/linux/display/wayland/eis/ei-message.ts';
import { EI, type EiName } from '../../../../../../src/platform/linux/display/wayland/eis/protocol.ts';

/** Ids of a server begin here. */
const FIRST_ID = 0xff00_0000_0000_0000n;
/** As Mutter 48 numbers them. */
const MASKS = {
  ei_pointer: 2n,
  ei_pointer_absolute: 4n,
  ei_keyboard: 8n,
  ei_scroll: 32n,
  ei_button: 64n,
} as const;

/** A server of the EI protocol in this process, which records what it was asked. */
export class FakeEis {
  readonly stream: EiStream;
  #client: EiClient | undefined;
  /** Requests in words: `ei_keyboard.key 30,1`. */
  readonly log: string[] = [];
  isEnded = false;
  #receiver: Parameters<EiStream['listen']>[0] | undefined;
  readonly #reader = new EiReader();
  readonly #names = new Map<bigint, EiName>([[0n, 'ei_handshake']]);
  #lastId = FIRST_ID;
  #serial = 100;
  readonly connection: bigint;
  readonly seat: bigint;

  constructor() {
    this.connection = this.#create('ei_connection');
    this.seat = this.#create('ei_seat');
    this.stream = {
      write: (bytes) => this.#asked(bytes),
      listen: (receiver) => {
        this.#receiver = receiver;
      },
      end: () => {
        this.isEnded = true;
      },
    };
  }

  get client(): EiClient {
    this.#client ??= new EiClient(this.stream, 'Deskterity');
    return this.#client;
  }

  /** What a server sends until the client has bound the seat. */
  greet(): void {
    this.event(0n, 'ei_handshake', 'handshake_version', 1);
    this.event(0n, 'ei_handshake', 'connection', ++this.#serial, this.connection, 1);
    this.event(this.connection, 'ei_connection', 'seat', this.seat, 1);
    this.event(this.seat, 'ei_seat', 'name', 'default');
    for (const [name, mask] of Object.entries(MASKS))
      this.event(this.seat, 'ei_seat', 'capability', mask, name);
    this.event(this.seat, 'ei_seat', 'done');
  }

  /** @returns the objects of the device and of its parts */
  addDevice(
    parts: readonly EiName[],
    regions: readonly (readonly [number, number, number, number])[] = [],
  ): { readonly id: bigint; readonly parts: readonly bigint[] } {
    const id = this.#create('ei_device');
    this.event(this.seat, 'ei_seat', 'device', id, 2);
    this.event(id, 'ei_device', 'name', 'virtual');
    for (const region of regions) this.event(id, 'ei_device', 'region', ...region, 1);
    const objects = parts.map((part) => {
      const object = this.#create(part);
      this.event(id, 'ei_device', 'interface', object, part, 1);
      return object;
    });
    this.event(id, 'ei_device', 'done');
    this.event(id, 'ei_device', 'resumed', ++this.#serial);
    return { id, parts: objects };
  }

  event(object: bigint, name: EiName, event: string, ...values: readonly EiValue[]): void {
    const events = Object.entries<string>(EI[name].events);
    const opcode = events.findIndex(([each]) => each === event);
    this.send(encodeEi(object, opcode, events[opcode]?.[1].replaceAll('h', '') ?? '', values));
  }

  send(bytes: Buffer): void {
    // Unless something else is connected already.
    if (this.#receiver === undefined) this.#client = new EiClient(this.stream, 'Deskterity');
    this.#receiver?.received(bytes);
  }

  hangUp(): void {
    this.#receiver?.ended('it closed the connection');
  }

  #create(name: EiName): bigint {
    this.#lastId++;
    this.#names.set(this.#lastId, name);
    return this.#lastId;
  }

  #asked(bytes: Buffer): void {
    for (const { object, opcode, body } of this.#reader.push(bytes)) {
      const name = this.#names.get(object);
      const request = name && Object.entries<string>(EI[name].requests)[opcode];
      if (name === undefined || request === undefined) {
        this.log.push(`unknown ${object}.${opcode}`);
        continue;
      }
      const values = decodeEi(request[1], body);
      // Frames carry a time.
      this.log.push(
        `${name}.${request[0]} ${(request[0] === 'frame' ? values.slice(0, 1) : values).join()}`.trim(),
      );
      if (request[0] === 'sync') this.event(BigInt(values[0] ?? 0), 'ei_callback', 'done', 0n);
    }
  }
}
