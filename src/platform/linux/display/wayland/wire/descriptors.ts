import { closeSync, fstatSync, ftruncateSync } from 'node:fs';
import {
  AF_UNIX,
  loadKernel,
  SOCK_STREAM,
  type Argument,
  type Kernel,
} from '../../../sandbox/libc-library.ts';
import { WireError } from './message.ts';
import { askForSocket, readSocketFacts, type UnixSocketFacts } from './unix-socket-facts.ts';

const AF_NETLINK = 16;
const NETLINK_SOCK_DIAG = 4;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;
const SOCK_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const MSG_CMSG_CLOEXEC = 0x40000000;
const MFD_CLOEXEC = 1;
const F_DUPFD_CLOEXEC = 1030;
const POLLIN = 1;
/** Bytes of a socket's path, without the terminating NUL. */
const LONGEST_PATH = 107;
const CONTROL_HEADER_BYTES = 16;
/** libwayland sends at most this many with one message. */
const MOST_DESCRIPTORS = 28;
const READ_BYTES = 64 * 1024;
const NANOSECONDS_PER_MS = 1_000_000n;

/** What arrived on a socket; `bytes` is empty at the end of the stream. */
export interface Received {
  readonly bytes: Buffer;
  /** Open in this process; whoever takes them closes them. */
  readonly descriptors: readonly number[];
}

/** Sockets that pass descriptors, and memory to pass. Node has neither. */
export class Descriptors {
  readonly #kernel: Kernel;

  private constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  static #tested: Promise<Descriptors> | undefined;

  /** Tests once per process that a descriptor arrives as what it was. @throws Error saying what is missing */
  static load(): Promise<Descriptors> {
    Descriptors.#tested ??= loadKernel().then((kernel) => {
      const descriptors = new Descriptors(kernel);
      descriptors.#selfTest();
      return descriptors;
    });
    return Descriptors.#tested;
  }

  /** Connects to a listening socket; never blocks. @throws Error with the system's error name */
  connect(path: string): number {
    const bytes = Buffer.from(path);
    if (bytes.length > LONGEST_PATH) throw new Error('ENAMETOOLONG');
    const address = Buffer.alloc(3 + bytes.length);
    address.writeUInt16LE(AF_UNIX);
    address.set(bytes, 2);
    const socket = this.#call('socket', AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const result = this.#kernel.call('connect', socket, address, address.length);
    if (result === 0) return socket;
    closeSync(socket);
    throw new Error(this.#kernel.errorName(-result));
  }

  pair(): readonly [number, number] {
    const both = new Int32Array(2);
    this.#call('socketpair', AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, both);
    return [both[0] ?? -1, both[1] ?? -1];
  }

  pipe(): { readonly read: number; readonly write: number } {
    const both = new Int32Array(2);
    this.#call('pipe2', both, O_CLOEXEC);
    return { read: both[0] ?? -1, write: both[1] ?? -1 };
  }

  /** Memory of a size, which another process can map. */
  memory(bytes: number): number {
    const file = this.#call('memfd_create', Buffer.from('deskterity\0'), MFD_CLOEXEC);
    ftruncateSync(file, bytes);
    return file;
  }

  /** A second descriptor for the same file: those that are sent are closed. */
  duplicate(file: number): number {
    return this.#call('fcntl', file, F_DUPFD_CLOEXEC, 0);
  }

  /** @returns the number of bytes sent; `undefined` if the socket takes none now. The descriptors go with the first byte. */
  send(socket: number, bytes: Buffer, descriptors: readonly number[]): number | undefined {
    if (descriptors.length > MOST_DESCRIPTORS) throw new WireError('too many descriptors for one message');
    const control = Buffer.alloc(CONTROL_HEADER_BYTES + Math.ceil(descriptors.length / 2) * 8);
    control.writeBigUInt64LE(BigInt(CONTROL_HEADER_BYTES + descriptors.length * 4), 0);
    control.writeInt32LE(SOL_SOCKET, 8);
    control.writeInt32LE(SCM_RIGHTS, 12);
    for (const [index, descriptor] of descriptors.entries())
      control.writeInt32LE(descriptor, CONTROL_HEADER_BYTES + index * 4);
    const header = this.#header(bytes, control);
    const result = this.#kernel.call('sendmsg', socket, header, MSG_DONTWAIT | MSG_NOSIGNAL);
    return this.#orLater(result, 'sendmsg');
  }

  /** Never blocks: `undefined` if nothing has arrived. */
  receive(socket: number): Received | undefined {
    const bytes = Buffer.alloc(READ_BYTES);
    const control = Buffer.alloc(CONTROL_HEADER_BYTES + MOST_DESCRIPTORS * 4);
    const header = this.#header(bytes, control);
    const result = this.#kernel.call('recvmsg', socket, header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const length = this.#orLater(result, 'recvmsg');
    if (length === undefined) return undefined;
    const controlBytes = Number(header.readBigUInt64LE(40));
    return {
      bytes: bytes.subarray(0, length),
      descriptors: descriptorsIn(control.subarray(0, controlBytes)),
    };
  }

  /** Waits on a thread of its own until something can be received. @returns whether it can */
  async readable(socket: number, waitMs: number): Promise<boolean> {
    const poll = Buffer.alloc(8);
    poll.writeInt32LE(socket, 0);
    poll.writeInt16LE(POLLIN, 4);
    const wait = new BigInt64Array([0n, BigInt(waitMs) * NANOSECONDS_PER_MS]);
    return (await this.#kernel.callOnThread('ppoll', poll, 1, wait, 0, 0)) > 0;
  }

  /** Asks the kernel about a Unix domain socket of any process. @throws Error if it does not answer, as in some containers */
  unixSocket(inode: number): UnixSocketFacts | undefined {
    const socket = this.#call(
      'socket',
      AF_NETLINK,
      SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
      NETLINK_SOCK_DIAG,
    );
    try {
      const header = this.#header(askForSocket(inode), Buffer.alloc(0));
      this.#orLater(this.#kernel.call('sendmsg', socket, header, 0), 'sendmsg');
      const { bytes } = this.receive(socket) ?? {};
      return bytes && readSocketFacts(bytes);
    } finally {
      closeSync(socket);
    }
  }

  #header(bytes: Buffer, control: Buffer): Buffer {
    const vector = new BigUint64Array([this.#kernel.address(bytes), BigInt(bytes.length)]);
    const header = Buffer.alloc(56);
    header.writeBigUInt64LE(this.#kernel.address(vector), 16);
    header.writeBigUInt64LE(1n, 24);
    header.writeBigUInt64LE(this.#kernel.address(control), 32);
    header.writeBigUInt64LE(BigInt(control.length), 40);
    return header;
  }

  #orLater(result: number, name: 'sendmsg' | 'recvmsg'): number | undefined {
    if (result >= 0) return result;
    if (['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(this.#kernel.errorName(-result))) return undefined;
    throw new Error(this.#kernel.describe(name, result));
  }

  #call(name: 'socket' | 'socketpair' | 'pipe2' | 'memfd_create' | 'fcntl', ...values: Argument[]): number {
    const result = this.#kernel.call(name, ...values);
    if (result < 0) throw new Error(this.#kernel.describe(name, result));
    return result;
  }

  #selfTest(): void {
    const [left, right] = this.pair();
    const sent = this.memory(4);
    try {
      this.send(left, Buffer.from([1]), [sent]);
      const [arrived, ...others] = this.receive(right)?.descriptors ?? [];
      if (arrived === undefined || others.length > 0) throw new Error('a passed descriptor did not arrive');
      const isSame = fstatSync(arrived).ino === fstatSync(sent).ino;
      closeSync(arrived);
      if (!isSame) throw new Error('a passed descriptor arrived as another file');
    } finally {
      for (const each of [left, right, sent]) closeSync(each);
    }
  }
}

function descriptorsIn(control: Buffer): number[] {
  const found: number[] = [];
  let at = 0;
  while (at + CONTROL_HEADER_BYTES <= control.length) {
    const length = Number(control.readBigUInt64LE(at));
    if (length < CONTROL_HEADER_BYTES || at + length > control.length) break;
    const isRights =
      control.readInt32LE(at + 8) === SOL_SOCKET && control.readInt32LE(at + 12) === SCM_RIGHTS;
    const end = isRights ? at + length : at;
    for (let item = at + CONTROL_HEADER_BYTES; item + 4 <= end; item += 4)
      found.push(control.readInt32LE(item));
    at += Math.ceil(length / 8) * 8;
  }
  return found;
}
