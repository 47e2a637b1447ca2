import { connect, type Socket } from 'node:net';
import { type BusAddress, parseAddress, socketPath } from './address.ts';
import { type AuthStep, Authenticator } from './authenticate.ts';
import { viewOf } from './marshalling/body-reader.ts';
import { BusError, LOCAL_ERROR, toBusError } from './bus-error.ts';
import { type CallSettings, Deadline, remaining } from './deadline.ts';

const READ_BUFFER = 128 * 1024;

/** Receives the bytes that arrived at the start of the link's buffer, and the end of the link. */
export interface LinkReceiver {
  received(length: number): void;
  ended(error: BusError): void;
}

/** An authenticated byte stream. All reads go to one buffer, which is overwritten by the next. */
export class Link {
  readonly socket: Socket;
  readonly buffer: Buffer;
  readonly view: DataView;
  guid = '';
  #receiver: LinkReceiver;
  #end: BusError | undefined;

  constructor(path: string, receiver: LinkReceiver, bufferBytes = READ_BUFFER) {
    this.#receiver = receiver;
    this.buffer = Buffer.allocUnsafeSlow(bufferBytes);
    this.view = viewOf(this.buffer);
    this.socket = connect({
      path,
      onread: {
        buffer: this.buffer,
        callback: (length) => {
          if (this.#end === undefined) this.#receiver.received(length);
          return true;
        },
      },
    });
    this.socket.on('error', (error) => this.fail(toBusError(error, LOCAL_ERROR.DISCONNECTED)));
    const onClosed = (): void =>
      this.fail(new BusError(LOCAL_ERROR.DISCONNECTED, 'the bus closed the connection'));
    this.socket.on('end', onClosed);
    this.socket.on('close', onClosed);
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
  bufferBytes: number | undefined,
): Promise<Link> {
  const spent = Deadline.spent(settings);
  if (spent !== undefined) return Promise.reject(spent);
  return new Promise((resolve, reject) => {
    const authenticator = new Authenticator(process.getuid?.());
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
    const link = new Link(path, receiver, bufferBytes);
    const deadline = new Deadline(settings, (error) => link.fail(error));
    link.socket.once('connect', () => link.socket.write(authenticator.begin()));

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
 * @param bufferBytes size of the link's buffer, if not the usual one
 */
export async function dial(addresses: string, settings: CallSettings, bufferBytes?: number): Promise<Link> {
  const startedAt = performance.now();
  let failure = new BusError(
    'org.freedesktop.DBus.Error.BadAddress',
    `no unix:path= or unix:abstract= in ${JSON.stringify(addresses)}`,
  );
  for (const address of parseAddress(addresses)) {
    const path = socketPath(address);
    if (path === undefined) continue;
    try {
      return await dialOne(address, path, remaining(settings, startedAt), bufferBytes);
    } catch (error) {
      failure = toBusError(error, LOCAL_ERROR.DISCONNECTED);
    }
  }
  throw failure;
}
