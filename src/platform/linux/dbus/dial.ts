import { connect, Socket } from 'node:net';
import { type BusAddress, parseAddress, socketPath } from './address.ts';
import { type AuthStep, Authenticator } from './authenticate.ts';
import { viewOf } from './marshalling/body-reader.ts';
import { BusError, LOCAL_ERROR, toBusError } from './bus-error.ts';
import { type CallSettings, Deadline, remaining } from './deadline.ts';

/** Sockets that pass descriptors, which Node's do not. */
export interface DescriptorSockets {
  /** Connects to a listening socket; never blocks. @throws Error */
  connect(path: string): number;
  /** The descriptors stay ours. @returns the number of bytes sent; `undefined` if the socket takes none now */
  send(socket: number, bytes: Buffer, descriptors: readonly number[]): number | undefined;
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
  #receiver: LinkReceiver;
  #end: BusError | undefined;

  /** Throws if it is to pass descriptors and cannot connect. */
  constructor(path: string, receiver: LinkReceiver, { sockets, bufferBytes = READ_BUFFER }: LinkOptions) {
    this.#receiver = receiver;
    this.buffer = Buffer.allocUnsafeSlow(bufferBytes);
    this.view = viewOf(this.buffer);
    this.#sockets = sockets;
    const received = (length: number): boolean => {
      if (this.#end === undefined) this.#receiver.received(length);
      return true;
    };
    this.#file = sockets?.connect(path);
    if (this.#file === undefined)
      this.socket = connect({ path, onread: { buffer: this.buffer, callback: received } });
    else {
      this.socket = new Socket({ fd: this.#file, readable: true, writable: true });
      this.socket.on('data', (chunk: Buffer) => {
        for (let at = 0; at < chunk.length; at += this.buffer.length)
          received(chunk.copy(this.buffer, 0, at));
      });
    }
    this.socket.on('error', (error) => this.fail(toBusError(error, LOCAL_ERROR.DISCONNECTED)));
    const onClosed = (): void =>
      this.fail(new BusError(LOCAL_ERROR.DISCONNECTED, 'the bus closed the connection'));
    this.socket.on('end', onClosed);
    this.socket.on('close', onClosed);
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
    const authenticator = new Authenticator(process.getuid?.(), options.sockets !== undefined);
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
