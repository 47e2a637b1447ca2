import { closeSync } from 'node:fs';
import { Batch } from './batch.ts';
import { BusError, LOCAL_ERROR, toBusError } from './bus-error.ts';
import { CallTemplate } from './marshalling/call-template.ts';
import { decodeBody } from './marshalling/decode.ts';
import { CallServer, type MethodCallHandler } from './call-server.ts';
import { type CallSettings, Deadline, remaining } from './deadline.ts';
import { dial, type DescriptorSockets, type Link, type ReceivingSockets } from './dial.ts';
import type { Frame } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { type HeaderFields, MESSAGE_TYPE, readHeaderFields } from './marshalling/header.ts';
import type { BodyReader } from './marshalling/body-reader.ts';
import { formatMatchRule, type MatchRule } from './marshalling/match-rule.ts';
import { MatchTable } from './match-table.ts';
import { isReply, MethodCallMessage, SignalMessage } from './message.ts';
import { Outbox } from './outbox.ts';
import { type Call, prepareCall, type Signal } from './prepared-call.ts';
import { Request } from './request.ts';
import { RequestTable } from './request-table.ts';
import * as standard from './standard-calls.ts';
import type { BusValue, Variant } from './marshalling/value.ts';

/** How to connect. The deadline covers connecting, authentication and Hello together. */
export interface ConnectOptions extends CallSettings {
  /** `false` for a peer-to-peer connection to an application's own socket: no Hello, no destinations. */
  readonly hello?: boolean | undefined;
  /** For calls with descriptors. */
  readonly sockets?: DescriptorSockets | undefined;
  /** For calls whose reply has descriptors. */
  readonly receiving?: ReceivingSockets | undefined;
  /** For a connection of few and short messages: the size of its buffers. The usual ones take 260 KB. */
  readonly bufferBytes?: number | undefined;
}

/** Counters since the connection was made. */
export interface BusStatistics {
  /** Method calls written. */
  readonly calls: number;
  readonly replies: number;
  /** Replies to abandoned calls; they are dropped. */
  readonly lateReplies: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
}

/** A connection to a message bus, or directly to one peer. Every failure is a {@link BusError}. */
export class BusConnection {
  readonly guid: string;
  readonly #link: Link;
  readonly #viaBus: boolean;
  readonly #frames = new FrameReader((frame) => this.#onFrame(frame));
  readonly #outbox: Outbox;
  readonly #requests: RequestTable;
  readonly #server = new CallServer();
  readonly #matches = new MatchTable((member, rule, settings) =>
    this.invoke(standard.matchCall(member, rule), standard.BUS.path, settings),
  );
  readonly #signalHandlers = new Handlers<SignalMessage>();
  readonly #closeHandlers = new Handlers<BusError>();
  /** Receives the calls of others once this connection only listens. */
  #monitor: ((call: MethodCallMessage) => void) | undefined;
  #uniqueName: string | undefined;
  #closeError: BusError | undefined;
  #bytesReceived = 0;
  #bytesSent = 0;
  /** Of the message that is sent now. */
  #attached: readonly number[] | undefined;
  /** Of the reply that is read now. */
  #passed: readonly number[] = [];

  private constructor(link: Link, { hello = true, bufferBytes }: ConnectOptions) {
    this.#link = link;
    this.#viaBus = hello;
    this.guid = link.guid;
    this.#outbox = new Outbox((bytes, done) => {
      this.#bytesSent += bytes.length;
      if (this.#attached === undefined) {
        link.socket.write(bytes, done);
        return;
      }
      link.sendWith(this.#attached, bytes);
      done();
    }, bufferBytes);
    this.#requests = new RequestTable(this.#outbox);
    link.attach({
      received: (length) => this.#received(length),
      ended: (error) => this.#ended(error),
    });
  }

  /**
   * Connects to the first address that answers. Fails with `local.Disconnected`, `local.Auth`, `local.Timeout`,
   * `local.Cancelled` or `org.freedesktop.DBus.Error.BadAddress`.
   */
  static async connect(address: string, options: ConnectOptions): Promise<BusConnection> {
    const startedAt = performance.now();
    const connection = new BusConnection(await dial(address, options, options), options);
    if (!connection.#viaBus) return connection;
    try {
      const settings = remaining(options, startedAt);
      connection.#uniqueName = await connection.invoke(standard.HELLO, standard.BUS.path, settings);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Our name on the bus; `undefined` on a peer-to-peer connection. */
  get uniqueName(): string | undefined {
    return this.#uniqueName;
  }

  get closed(): boolean {
    return this.#closeError !== undefined;
  }

  get statistics(): BusStatistics {
    const { calls, replies, lateReplies } = this.#requests;
    return { calls, replies, lateReplies, bytesReceived: this.#bytesReceived, bytesSent: this.#bytesSent };
  }

  /** Calls a method and resolves to the values of the reply; with `noReplyExpected`, to `[]` once it is sent. */
  async call(call: Call, settings: CallSettings): Promise<BusValue[]> {
    return await this.invoke(new CallTemplate({ ...call, decode: decodeBody }), call.path, settings);
  }

  /**
   * Calls a method with descriptors, which stay the caller's; the connection must have been made for that, and do nothing else at the same time.
   * Fails with `local.Disconnected` if they cannot be sent, and then ends the connection.
   */
  async callWith(descriptors: readonly number[], call: Call, settings: CallSettings): Promise<BusValue[]> {
    if (!this.#link.passesDescriptors) {
      const message = 'the connection was not made for passing descriptors';
      throw new BusError('org.freedesktop.DBus.Error.NotSupported', message);
    }
    this.#outbox.flush();
    this.#attached = descriptors;
    const reply = this.call({ ...call, descriptors: descriptors.length }, settings);
    this.#outbox.flush();
    this.#attached = undefined;
    return reply;
  }

  /**
   * Calls a method whose reply has descriptors; the caller must close them. A value of the type `h` is the index of one.
   * The connection must have been made for that; other messages lose theirs.
   */
  callForDescriptors(
    call: Call,
    settings: CallSettings,
  ): Promise<{ readonly values: readonly BusValue[]; readonly descriptors: readonly number[] }> {
    const decode = (
      reader: BodyReader,
      signature: string,
    ): { readonly values: BusValue[]; readonly descriptors: readonly number[] } => {
      const values = decodeBody(reader, signature);
      const descriptors = this.#passed;
      this.#passed = [];
      return { values, descriptors };
    };
    return this.invoke(new CallTemplate({ ...call, decode }), call.path, settings);
  }

  /** Descriptors are not received from here on. Until then a thread of Node's pool waits for them. */
  receiveNoMore(): void {
    this.#link.receiveNoMore();
  }

  /** Calls a prepared method. */
  invoke<T>(template: CallTemplate<T>, path: string, settings: CallSettings): Promise<T> {
    const spent = Deadline.spent(settings) ?? this.#closeError;
    if (spent !== undefined) return Promise.reject(spent);
    return new Promise<T>((resolve, reject) => {
      const owner = { answered: () => deadline.clear(), handlerThrew: reject };
      const request = new Request(template, path, owner, (error, value) => {
        if (error === undefined) resolve(value);
        else reject(error);
      });
      const deadline = new Deadline(settings, (error) => this.#requests.withdrawOne(request, error));
      this.#requests.add(request);
    });
  }

  /** Many pipelined requests with one deadline, which starts now. */
  batch(settings: CallSettings): Batch {
    return new Batch(this.#requests, settings);
  }

  /** Sends a signal to all subscribers; throws `local.Protocol` for invalid names or values. */
  emit(signal: Signal): void {
    const prepared = prepareCall({ ...signal, noReplyExpected: true });
    if (!this.closed) this.#outbox.addSignal(prepared, signal.path, this.#requests.nextSerial());
  }

  /** Reads one property. */
  async getProperty(
    destination: string | undefined,
    path: string,
    iface: string,
    name: string,
    settings: CallSettings,
  ): Promise<BusValue> {
    return await this.invoke(standard.getPropertyCall(destination, iface, name), path, settings);
  }

  /** Writes one property. */
  async setProperty(
    destination: string | undefined,
    path: string,
    iface: string,
    name: string,
    value: Variant,
    settings: CallSettings,
  ): Promise<void> {
    await this.invoke(standard.setPropertyCall(destination, iface, name, value), path, settings);
  }

  /** Calls a handler with every signal in order of arrival; returns the function that removes it. */
  onSignal(handler: (message: SignalMessage) => void): () => void {
    return this.#signalHandlers.add(handler);
  }

  /** Serves calls made to us; a call that no handler serves gets the error UnknownMethod. */
  onMethodCall(handler: MethodCallHandler): () => void {
    return this.#server.add(handler);
  }

  /** Calls a handler when the connection has ended, on either side; in a microtask if it already has. */
  onClose(handler: (error: BusError) => void): () => void {
    const error = this.#closeError;
    if (error !== undefined) queueMicrotask(() => handler(error));
    return this.#closeHandlers.add(handler);
  }

  /**
   * Subscribes to messages that match; returns the function that unsubscribes. Reference-counted per rule. On a
   * peer-to-peer connection everything arrives anyway and this does nothing.
   */
  async addMatch(rule: string | MatchRule, settings: CallSettings): Promise<() => Promise<void>> {
    if (!this.#viaBus) return async () => {};
    return await this.#matches.add(typeof rule === 'string' ? rule : formatMatchRule(rule), settings);
  }

  /**
   * Turns this connection into one that only listens: it receives the messages of others that match, and can send nothing any more. Signals go to
   * {@link onSignal}, calls to `heard`; nothing answers them.
   */
  async becomeMonitor(
    rules: readonly string[],
    heard: (call: MethodCallMessage) => void,
    settings: CallSettings,
  ): Promise<void> {
    // What is heard may arrive with the reply.
    this.#monitor = heard;
    await this.invoke(standard.becomeMonitorCall(rules), standard.BUS.path, settings);
  }

  /** Ends the connection. Pending calls fail with `local.Disconnected`. */
  close(): void {
    if (this.closed) return;
    this.#outbox.flush();
    this.#link.fail(new BusError(LOCAL_ERROR.DISCONNECTED, 'the connection was closed'));
  }

  #received(length: number): void {
    this.#bytesReceived += length;
    try {
      this.#frames.push(this.#link.buffer, this.#link.view, length);
    } catch (error) {
      this.#link.fail(toBusError(error, LOCAL_ERROR.PROTOCOL));
    }
  }

  #onFrame(frame: Frame): void {
    if (isReply(frame)) {
      const error = this.#answer(frame);
      // On a bus, one application's malformed body must not end the connection to all others.
      if (!this.#viaBus && error?.errorName === LOCAL_ERROR.PROTOCOL) throw error;
    } else if (frame.type === MESSAGE_TYPE.SIGNAL) {
      const message = new SignalMessage(frame, this.#fieldsOf(frame));
      this.#signalHandlers.call(message);
    } else if (frame.type === MESSAGE_TYPE.METHOD_CALL) {
      const call = new MethodCallMessage(frame, this.#fieldsOf(frame));
      if (this.#monitor === undefined) void this.#serve(call);
      else this.#monitor(call);
    }
  }

  #answer(frame: Frame): BusError | undefined {
    if (!this.#link.receivesDescriptors) return this.#requests.answer(frame);
    frame.readReplyFields();
    this.#passed = this.#link.takeDescriptors(frame.descriptors);
    const error = this.#requests.answer(frame);
    for (const unwanted of this.#passed) closeSync(unwanted);
    this.#passed = [];
    return error;
  }

  /** Anyone may send us descriptors; we want those of replies only. */
  #fieldsOf(frame: Frame): HeaderFields {
    const fields = readHeaderFields(frame.fields());
    if (this.#link.receivesDescriptors)
      for (const unwanted of this.#link.takeDescriptors(fields.descriptors)) closeSync(unwanted);
    return fields;
  }

  async #serve(call: MethodCallMessage): Promise<void> {
    const reply = await this.#server.replyTo(call, () => this.#requests.nextSerial());
    if (reply !== undefined && !this.closed) this.#outbox.addMessage(reply);
  }

  #ended(error: BusError): void {
    this.#closeError = error;
    this.#frames.stop();
    this.#requests.close(error);
    this.#closeHandlers.call(error);
  }
}

/** Registered callbacks. */
class Handlers<T> {
  readonly #handlers = new Set<(value: T) => void>();

  /** Adds a handler; returns the function that removes it. */
  add(handler: (value: T) => void): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Calls them all. What one throws is a bug of this program: it surfaces, but outside the caller's loop. */
  call(value: T): void {
    for (const handler of this.#handlers) {
      try {
        handler(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
