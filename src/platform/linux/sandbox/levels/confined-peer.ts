import { readFileSync } from 'node:fs';
import { loadKernel } from '../libc-library.ts';
import type { Kernel } from '../libc-library.ts';
import { HIGHEST_MARK, LEAST_ROOM, MARK_TITLE } from '../processes/operation-mark.ts';
import { SandboxProblem } from '../problem.ts';
import { hardLimit } from '../processes/process-table.ts';

/** What the kernel says of a process that matters here. */
export interface PeerFacts {
  /** Hard limit of file locks as `/proc` words it; see operation-mark.ts. */
  readonly locks: string;
  /** As `/proc/PID/status` has it. */
  readonly status: string;
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;
const ENOPROTOOPT = 92;

let check: ReturnType<typeof openPeerCheck> | undefined;

/** Whether a command that is confined has connected to a socket of ours, or somebody of whom that is not known. */
export async function isConfinedPeer(client: object): Promise<boolean> {
  check ??= openPeerCheck();
  return (await check)(client);
}

/**
 * Tells whether whoever has connected to a Unix socket is a command that Deskterity confines. A tool file that opens Unix sockets opens ours as
 * well, and by them an unconfined command could be started.
 * @returns a check, which answers `true` also where it is not known who it is, as when they have gone already
 */
export async function openPeerCheck(): Promise<(client: object) => boolean> {
  let kernel: Kernel;
  try {
    kernel = await loadKernel();
  } catch (error) {
    // Nothing was ever confined by an installation that cannot speak to the kernel.
    if (error instanceof SandboxProblem) return () => false;
    throw error;
  }
  return (client) => {
    const descriptor = descriptorOf(client);
    if (descriptor === undefined) return true;
    const pid = peerOf(kernel, descriptor);
    // Somebody in another space of process numbers, which what we start is not.
    if (pid === 0) return false;
    const own = factsOf('self');
    const peer = pid === undefined ? undefined : certainly(kernel, descriptor, pid, () => factsOf(pid));
    return own === undefined || peer === undefined || isConfined(peer, own);
  };
}

/**
 * Pure. The mark alone is not enough, as commands bear it that the user wants to run without a sandbox; nor is a filter of system calls alone, as
 * the user's own container may have one.
 * @param own facts about this process, which may be in somebody's sandbox itself
 */
export function isConfined(peer: PeerFacts, own: PeerFacts): boolean {
  // Where there is no room for marks nothing bears one.
  if (!isMark(peer.locks) && !hasNoRoom(own.locks)) return false;
  // The first thread stands for the process; once it has ended it does not say for certain what the others are held to.
  if (/^State:\s*[ZX]/m.test(peer.status)) return true;
  return filtersIn(peer.status) > filtersIn(own.status);
}

function isMark(locks: string): boolean {
  if (!/^\d+$/.test(locks)) return false;
  const value = BigInt(locks);
  return value >= LEAST_ROOM && value <= HIGHEST_MARK;
}

function hasNoRoom(locks: string): boolean {
  return /^\d+$/.test(locks) && BigInt(locks) < LEAST_ROOM;
}

/** How many filters of system calls; kernels before 5.9 say only whether there is one. */
function filtersIn(status: string): number {
  const count = /^Seccomp_filters:\s*(\d+)$/m.exec(status)?.[1];
  return count === undefined ? Number(/^Seccomp:\s*2$/m.test(status)) : Number(count);
}

function factsOf(process: number | 'self'): PeerFacts | undefined {
  const locks = hardLimit(process, MARK_TITLE);
  try {
    return locks === undefined
      ? undefined
      : { locks, status: readFileSync(`/proc/${process}/status`, 'utf8') };
  } catch {
    return undefined;
  }
}

/** Who has called `connect`. `undefined` where the kernel does not say. */
function peerOf(kernel: Kernel, descriptor: number): number | undefined {
  const credentials = new Int32Array(3);
  const result = option(kernel, descriptor, SO_PEERCRED, credentials);
  return result < 0 ? undefined : credentials[0];
}

/** What was read of a process if it was that very one all the time, and not another that has got its number. */
function certainly<T>(kernel: Kernel, descriptor: number, pid: number, read: () => T): T | undefined {
  const held = new Int32Array(1);
  const result = option(kernel, descriptor, SO_PEERPIDFD, held);
  // Linux before 6.5 knows the number only.
  if (result === -ENOPROTOOPT) return read();
  const handle = held[0] ?? -1;
  if (result < 0 || handle < 0) return undefined;
  try {
    const answer = read();
    const info = readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8');
    return new RegExp(`^Pid:\\s*${pid}$`, 'm').test(info) ? answer : undefined;
  } finally {
    kernel.call('close', handle);
  }
}

function option(kernel: Kernel, descriptor: number, name: number, value: Int32Array): number {
  const length = new Int32Array([value.byteLength]);
  const bytes = (words: Int32Array) => new Uint8Array(words.buffer);
  return kernel.call('getsockopt', descriptor, SOL_SOCKET, name, bytes(value), bytes(length));
}

/** Node keeps it to itself. `undefined` for one that is closed. */
function descriptorOf(client: object): number | undefined {
  const handle: unknown = Reflect.get(client, '_handle');
  if (typeof handle !== 'object' || handle === null || !('fd' in handle)) return undefined;
  return typeof handle.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
