import { connect, Socket } from 'node:net';
import { type BusAddress, parseAddress, socketPath } from './address.ts';
import { type AuthStep, Authenticator } from './authenticate.ts';
import { viewOf } from './marshalling/body-reader.ts';
import { BusError, LOCAL_ERROR, protocolError, toBusError } from './bus-error.ts';
import { type CallSettings, Deadline, remaining } from './deadline.ts';

/** Sockets that pass descriptors, which Node's do not. */
export interface DescriptorSockets {
  /** Connects to a listening socket; never blocks. @throws Error */
  connect(path: string): number;
  /** The descriptors stay ours. @returns the number of bytes sent; `undefined` if the socket takes none now */
  send(socket: number, bytes: Buffer, descriptors: readonly number[]): number | undefined;
}

/** Sockets that also receive descriptors. */
export interface ReceivingSockets extends DescriptorSockets {
  duplicate(file: number): number;
  /** Reads bytes and descriptors from a socket, which it owns, until it is closed. */
  read(
    socket: number,
    receiver: { received(bytes: Buffer): void; ended(reason: string): void },
  ): {
    /** The next one that arrived. The caller must close it. */
    takeDescriptor(): number | undefined;
    close(): void;
  };
}

const READ_BUFFER = 128 * 1024;

/** Receives the bytes that arrived at the start of the link's buffer, and the end of the link. */
export interface LinkReceiver {
  received(length: number): void;
  ended(error: BusError): void;
}

export interface LinkOptions {
  /** If descriptors are to be passed. */
  readonly sockets?: DescriptorSockets | undefined;
  /** If they are to be received, too. */
  readonly receiving?: ReceivingSockets | undefined;
  /** Size of the buffer that reads go to, if not the usual one. */
  readonly bufferBytes?: number | undefined;
}

/** An authenticated byte stream. All reads go to one buffer, which is overwritten by the next. */
export class Link {
  readonly socket: Socket;
  readonly buffer: Buffer;
  readonly view: DataView;
  guid = '';
  readonly #sockets: DescriptorSockets | undefined;
  readonly #file: number | undefined;
  readonly #receiving: ReceivingSockets | undefined;
  /** Reads descriptors, until they are not wanted any more. */
  #inbox: ReturnType<ReceivingSockets['read']> | undefined;
  #reader: Socket | undefined;
  #receiver: LinkReceiver;
  #end: BusError | undefined;

  /** Throws if it is to pass descriptors and cannot connect. */
  constructor(
    path: string,
    receiver: LinkReceiver,
    { receiving, sockets = receiving, bufferBytes = READ_BUFFER }: LinkOptions,
  ) {
    this.#receiver = receiver;
    this.buffer = Buffer.allocUnsafeSlow(bufferBytes);
    this.view = viewOf(this.buffer);
    this.#sockets = sockets;
    this.#receiving = receiving;
    const received = (length: number): boolean => {
      if (this.#end === undefined) this.#receiver.received(length);
      return true;
    };
    this.#file = sockets?.connect(path);
    if (this.#file === undefined)
      this.socket = connect({ path, onread: { buffer: this.buffer, callback: received } });
    else if (receiving === undefined) {
      this.socket = new Socket({ fd: this.#file, readable: true, writable: true });
      this.socket.on('data', (chunk: Buffer) => this.#copied(chunk));
    } else {
      this.socket = new Socket({ fd: this.#file, readable: false, writable: true });
      this.#inbox = receiving.read(receiving.duplicate(this.#file), {
        received: (bytes) => this.#copied(bytes),
        ended: () => this.#closed(),
      });
    }
    this.#follow(this.socket);
  }

  #follow(socket: Socket): void {
    socket.on('error', (error) => this.fail(toBusError(error, LOCAL_ERROR.DISCONNECTED)));
    socket.on('end', () => this.#closed());
    socket.on('close', () => this.#closed());
  }

  #copied(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#end === undefined; at += this.buffer.length)
      this.#receiver.received(chunk.copy(this.buffer, 0, at));
  }

  #closed(): void {
    this.fail(new BusError(LOCAL_ERROR.DISCONNECTED, 'the bus closed the connection'));
  }

  /** Whether descriptors are received now. */
  get receivesDescriptors(): boolean {
    return this.#inbox !== undefined;
  }

  /** The descriptors of the message that was read last. */
  takeDescriptors(count: number): readonly number[] {
    const taken: number[] = [];
    while (taken.length < count) {
      const next = this.#inbox?.takeDescriptor();
      if (next === undefined) throw protocolError('a message without its descriptors');
      taken.push(next);
    }
    return taken;
  }

  /** From here on Node reads, which drops descriptors but waits without a thread. */
  receiveNoMore(): void {
    if (this.#inbox === undefined || this.#file === undefined || this.#receiving === undefined) return;
    const file = this.#receiving.duplicate(this.#file);
    this.#inbox.close();
    this.#inbox = undefined;
    this.#reader = new Socket({ fd: file, readable: true, writable: false });
    this.#reader.on('data', (chunk: Buffer) => this.#copied(chunk));
    this.#follow(this.#reader);
  }

  /** Whether it passes descriptors; it is connected from the start then. */
  get passesDescriptors(): boolean {
    return this.#file !== undefined;
  }

  /** Sends bytes with descriptors. Nothing else may be on its way; if they cannot be sent whole and at once, the link ends. */
  sendWith(descriptors: readonly number[], bytes: Buffer): void {
    const isFree = this.socket.writableLength === 0 && this.#end === undefined;
    const sent =
      isFree && this.#file !== undefined ? this.#sockets?.send(this.#file, bytes, descriptors) : undefined;
    if (sent === bytes.length) return;
    this.fail(new BusError(LOCAL_ERROR.DISCONNECTED, 'the bus takes no message with descriptors now'));
  }

  /** Replaces the receiver; an end that already happened is reported to it immediately. */
  attach(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    if (this.#end !== undefined) receiver.ended(this.#end);
  }

  /** Ends the link; the receiver is notified once. */
  fail(error: BusError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    this.#inbox?.close();
    this.#reader?.destroy();
    this.socket.destroy();
    this.#receiver.ended(error);
  }
}

function dialOne(
  address: BusAddress,
  path: string,
  settings: CallSettings,
  options: LinkOptions,
): Promise<Link> {
  const spent = Deadline.spent(settings);
  if (spent !== undefined) return Promise.reject(spent);
  return new Promise((resolve, reject) => {
    const authenticator = new Authenticator(
      process.getuid?.(),
      (options.sockets ?? options.receiving) !== undefined,
    );
    const receiver: LinkReceiver = {
      received: (length) => {
        let step: AuthStep;
        try {
          step = authenticator.push(link.buffer.subarray(0, length));
        } catch (error) {
          link.fail(toBusError(error, LOCAL_ERROR.AUTH));
          return;
        }
        if (step === undefined) return;
        if ('done' in step) accept(step.done);
        link.socket.write(step.send);
      },
      ended: (error) => {
        deadline.clear();
        reject(error);
      },
    };
    const link = new Link(path, receiver, options);
    const deadline = new Deadline(settings, (error) => link.fail(error));
    const begin = (): void => void link.socket.write(authenticator.begin());
    if (link.passesDescriptors) begin();
    else link.socket.once('connect', begin);

    function accept(guid: string): void {
      const expected = address.options.get('guid')?.toLowerCase();
      if (expected !== undefined && expected !== guid) {
        link.fail(
          new BusError(LOCAL_ERROR.AUTH, `the bus has guid ${guid}, but its address gives ${expected}`),
        );
        return;
      }
      deadline.clear();
      link.guid = guid;
      resolve(link);
    }
  });
}

/**
 * Connects and authenticates to the first address in a list that answers. Fails with the last error:
 * `local.Disconnected`, `local.Auth`, `local.Timeout`, `local.Cancelled` or `…BadAddress`.
 */
export async function dial(
  addresses: string,
  settings: CallSettings,
  options: LinkOptions = {},
): Promise<Link> {
  const startedAt = performance.now();
  let failure = new BusError(
    'org.freedesktop.DBus.Error.BadAddress',
    `no unix:path= or unix:abstract= in ${JSON.stringify(addresses)}`,
  );
  for (const address of parseAddress(addresses)) {
    const path = socketPath(address);
    if (path === undefined) continue;
    try {
      return await dialOne(address, path, remaining(settings, startedAt), options);
    } catch (error) {
      failure = toBusError(error, LOCAL_ERROR.DISCONNECTED);
    }
  }
  throw failure;
}
