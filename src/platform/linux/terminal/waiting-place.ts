import { readlinkSync, statSync } from 'node:fs';
import { readText } from '../../node/quiet-files.ts';
import { readMemory, type Kernel } from '../sandbox/libc-library.ts';
import type { Architecture } from '../sandbox/seccomp/system-calls.ts';
import type { FileIdentity } from './pty.ts';

/** What a thread is waiting in. `unknown`: it waits, but the kernel does not show this user for what. */
export type WaitingPlace = 'terminal-read' | 'poll' | 'running' | 'elsewhere' | 'unknown';

type WaitCall = 'read' | 'poll' | 'select' | 'epoll';

/** System calls that wait for input, by number. */
const WAITS: Readonly<Record<Architecture, Readonly<Record<number, WaitCall>>>> = {
  // read, readv, pread64; poll, ppoll; select, pselect6; epoll_wait, epoll_pwait, epoll_pwait2.
  x64: {
    0: 'read',
    19: 'read',
    17: 'read',
    7: 'poll',
    271: 'poll',
    23: 'select',
    270: 'select',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll',
  },
  arm64: {
    63: 'read',
    65: 'read',
    67: 'read',
    73: 'poll',
    72: 'select',
    22: 'epoll',
    441: 'epoll',
  },
};

/** The `restart_syscall` number with which poll continues after its process was stopped. Other calls continue as themselves. */
const RESTART: Readonly<Record<Architecture, number>> = { x64: 219, arm64: 128 };

const POLLIN = 1;
const EPOLLIN = 1;
const POLL_ENTRY_BYTES = 8;
/** Further descriptors are ignored. */
const MOST_POLLED = 1024;
/** Device number of `/dev/tty`, the controlling terminal of the session that opened it. */
const OWN_TERMINAL = 0x500n;
/** Names of terminals, here or in other mount namespaces. Other files are not accessed: their file system may not answer. */
const TERMINAL_NAME = /^\/dev\/(?:pts\/\d+|tty|console)$|^\/\d+$/;

export interface Thread {
  readonly process: number;
  readonly thread: number;
}

/** What a thread of the terminal's session is waiting in. @param terminal identity of the slave's device node */
export function waitingPlace(kernel: Kernel, terminal: FileIdentity, thread: Thread): WaitingPlace {
  const call = read(thread, 'syscall');
  if (call === undefined) return placeByState(thread);
  if (call.startsWith('running')) return 'running';
  const [number = '', ...values] = call.trim().split(' ');
  const way = isResumedPoll(kernel, thread, Number(number))
    ? 'poll'
    : WAITS[kernel.architecture][Number(number)];
  if (way === undefined) return 'elsewhere';
  const [first = 0n, second = 0n] = values.slice(0, 2).map(BigInt);
  if (way === 'read') return isTerminal(thread, Number(first), terminal) ? 'terminal-read' : 'elsewhere';
  if (way === 'epoll') return placeByEpoll(thread, Number(first), terminal);
  const descriptors = descriptorsIn(kernel, thread, way, { first, second });
  if (descriptors === undefined) return 'unknown';
  return descriptors.some((descriptor) => isTerminal(thread, descriptor, terminal)) ? 'poll' : 'elsewhere';
}

function isResumedPoll({ architecture }: Kernel, thread: Thread, number: number): boolean {
  return number === RESTART[architecture] && /poll/.test(read(thread, 'wchan') ?? '');
}

/** For a thread whose system call this user may not see, such as root's. */
function placeByState(thread: Thread): WaitingPlace {
  const stat = read(thread, 'stat') ?? '';
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
  if (state === 'R') return 'running';
  return state === 'S' ? 'unknown' : 'elsewhere';
}

/** The descriptors a thread waits to read from; `undefined` if its memory cannot be read. */
function descriptorsIn(
  kernel: Kernel,
  thread: Thread,
  way: 'poll' | 'select',
  { first, second }: { readonly first: bigint; readonly second: bigint },
): number[] | undefined {
  if (way === 'poll') {
    const count = Math.min(Number(second), MOST_POLLED);
    const list = memoryOf(kernel, thread, first, count * POLL_ENTRY_BYTES);
    if (list === undefined) return undefined;
    return Array.from({ length: count }, (_, index) => index * POLL_ENTRY_BYTES)
      .filter((at) => (list.getInt16(at + 4, true) & POLLIN) !== 0)
      .map((at) => list.getInt32(at, true));
  }
  // One bit per descriptor; without a read set, it waits for no input.
  if (second === 0n) return [];
  const count = Math.min(Number(first), MOST_POLLED);
  const set = memoryOf(kernel, thread, second, Math.ceil(count / 64) * 8);
  if (set === undefined) return undefined;
  return Array.from({ length: count }, (_, descriptor) => descriptor).filter(
    (descriptor) => ((set.getUint8(descriptor >> 3) >> (descriptor & 7)) & 1) === 1,
  );
}

/** `/proc` lists the descriptors that an epoll instance watches. */
function placeByEpoll(thread: Thread, descriptor: number, terminal: FileIdentity): WaitingPlace {
  const entries = read(thread, `fdinfo/${descriptor}`);
  if (entries === undefined) return 'unknown';
  for (const [, watched, events] of entries.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)) {
    if ((Number.parseInt(events ?? '0', 16) & EPOLLIN) === 0) continue;
    if (isTerminal(thread, Number(watched), terminal)) return 'poll';
  }
  return 'elsewhere';
}

function isTerminal({ process, thread }: Thread, descriptor: number, terminal: FileIdentity): boolean {
  const path = `/proc/${process}/task/${thread}/fd/${descriptor}`;
  try {
    if (!TERMINAL_NAME.test(readlinkSync(path))) return false;
    const { dev, ino, rdev } = statSync(path, { bigint: true });
    return rdev === OWN_TERMINAL || (dev === terminal.device && ino === terminal.inode);
  } catch {
    return false;
  }
}

/** Memory of another process; `undefined` if it cannot be read. */
function memoryOf(kernel: Kernel, { thread }: Thread, address: bigint, length: number): DataView | undefined {
  const bytes = new Uint8Array(length);
  if (length === 0) return new DataView(bytes.buffer);
  return readMemory(kernel, thread, address, bytes) === length ? new DataView(bytes.buffer) : undefined;
}

function read({ process, thread }: Thread, name: string): string | undefined {
  return readText(`/proc/${process}/task/${thread}/${name}`);
}
