import { Batch, BusConnection, type CallTemplate } from '../../src/platform/linux/dbus/index.ts';
import { dial, type Link } from '../../src/platform/linux/dbus/dial.ts';
import { FrameReader } from '../../src/platform/linux/dbus/frame-reader.ts';
import { MESSAGE_TYPE } from '../../src/platform/linux/dbus/marshalling/header.ts';
import { Outbox } from '../../src/platform/linux/dbus/outbox.ts';
import { HELLO, BUS } from '../../src/platform/linux/dbus/standard-calls.ts';
import type { PreparedCall } from '../../src/platform/linux/dbus/prepared-call.ts';

/** One message as it was sent. */
export interface SentCall {
  readonly prepared: PreparedCall;
  readonly path: string;
}

/** Runs `work` and returns every call it made, in the order of sending. The product has no hook for this: its methods are wrapped meanwhile. */
export async function record(work: () => Promise<unknown>): Promise<SentCall[]> {
  const sent: SentCall[] = [];
  const seen = ({ prepared }: CallTemplate<unknown>, path: string): void =>
    void sent.push({ prepared, path });
  const unwrap = [wrap(Batch.prototype, 'request', seen), wrap(BusConnection.prototype, 'invoke', seen)];
  try {
    await work();
  } finally {
    for (const restore of unwrap) restore();
  }
  return sent;
}

function wrap(
  prototype: object,
  method: string,
  seen: (template: CallTemplate<unknown>, path: string) => void,
): () => void {
  const original = Object.getOwnPropertyDescriptor(prototype, method);
  const call: unknown = original?.value;
  if (!original || typeof call !== 'function') throw new Error(`There is no method ${method} to record.`);
  Object.defineProperty(prototype, method, {
    ...original,
    value(this: unknown, template: CallTemplate<unknown>, path: string, ...rest: unknown[]): unknown {
      seen(template, path);
      return Reflect.apply(call, this, [template, path, ...rest]);
    },
  });
  return () => void Object.defineProperty(prototype, method, original);
}

/** The service time of an application: how long it takes to answer messages that all arrive at once, with replies only counted. */
export class Replay {
  private readonly link: Link;
  private readonly replies: {
    wanted: number;
    seen: number;
    done: () => void;
    failed: (error: Error) => void;
  };

  private constructor(link: Link) {
    this.link = link;
    this.replies = { wanted: 0, seen: 0, done: () => undefined, failed: () => undefined };
    const frames = new FrameReader((frame) => {
      if (frame.type !== MESSAGE_TYPE.METHOD_RETURN && frame.type !== MESSAGE_TYPE.ERROR) return;
      this.replies.seen++;
      if (this.replies.seen >= this.replies.wanted) this.replies.done();
    });
    link.attach({
      received: (length) => frames.push(link.buffer, link.view, length),
      ended: (error) => this.replies.failed(error),
    });
  }

  static async connect(address: string, viaBus: boolean, deadlineMs: number): Promise<Replay> {
    const replay = new Replay(await dial(address, { deadlineMs }));
    if (viaBus) await replay.send([{ prepared: HELLO.prepared, path: BUS.path }]);
    return replay;
  }

  /** Sends everything at once; returns the milliseconds until the last reply. */
  async send(calls: readonly SentCall[]): Promise<number> {
    const encoded = encode(calls);
    const answered = new Promise<void>((resolve, reject) => {
      Object.assign(this.replies, { wanted: calls.length, seen: 0, done: resolve, failed: reject });
    });
    const begin = performance.now();
    this.link.socket.write(encoded);
    await answered;
    return performance.now() - begin;
  }

  close(): void {
    this.replies.failed = () => undefined;
    this.link.socket.destroy();
  }
}

function encode(calls: readonly SentCall[]): Buffer {
  const chunks: Buffer[] = [];
  const outbox = new Outbox((bytes) => chunks.push(Buffer.from(bytes)));
  for (const [index, { prepared, path }] of calls.entries()) outbox.addCall(prepared, path, index + 1);
  outbox.flush();
  return Buffer.concat(chunks);
}
