import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { loadKernel, type Kernel } from '../libc-library.ts';
import { HIGHEST_MARK, LEAST_ROOM, MARK_TITLE } from '../processes/operation-mark.ts';
import { SandboxProblem } from '../problem.ts';
import { readText } from '../../../node/quiet-files.ts';
import { hardLimit } from '../../process/facts.ts';

/** The kernel's facts about a connected process. */
export interface PeerFacts {
  /** Hard limit of file locks, as text from `/proc`; see operation-mark.ts. */
  readonly locks: string;
  /** Text of `/proc/PID/status`. */
  readonly status: string;
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;

let check: ReturnType<typeof openPeerCheck> | undefined;

/** Whether a client of one of our sockets is a confined command or cannot be identified. */
export async function isConfinedPeer(client: object): Promise<boolean> {
  check ??= openPeerCheck();
  return (await check)(client);
}

/** The process that connected to one of our sockets, whatever it says of itself. */
export async function peerPid(client: object): Promise<number | undefined> {
  try {
    const kernel = await loadKernel();
    const descriptor = descriptorOf(client);
    // 0 is a process in another PID namespace.
    return (descriptor === undefined ? undefined : peerOf(kernel, descriptor)) || undefined;
  } catch {
    // This installation cannot make system calls.
    return undefined;
  }
}

/**
 * Detects clients that are commands confined by Deskterity. A tool file that allows Unix sockets also allows ours, through which an
 * unconfined command could be started.
 * @returns a check, which also returns `true` for a client that cannot be identified, such as one that has already exited
 */
export async function openPeerCheck(): Promise<(client: object) => boolean> {
  let kernel: Kernel;
  try {
    kernel = await loadKernel();
  } catch (error) {
    // An installation that cannot make system calls has never confined anything.
    if (error instanceof SandboxProblem) return () => false;
    throw error;
  }
  return (client) => {
    const descriptor = descriptorOf(client);
    if (descriptor === undefined) return true;
    const pid = peerOf(kernel, descriptor);
    // A process in another PID namespace, which cannot be ours.
    if (pid === 0) return false;
    const own = factsOf('self');
    const peer = pid === undefined ? undefined : readIdentified(kernel, descriptor, pid, () => factsOf(pid));
    return own === undefined || peer === undefined || isConfined(peer, own);
  };
}

/**
 * The mark alone is not enough, as commands that run without a sandbox also carry it; nor is a system call filter alone, as the user's own
 * container may have one.
 * @param own facts about this process, which may itself be in a sandbox
 */
export function isConfined(peer: PeerFacts, own: PeerFacts): boolean {
  // Without room for marks, no process carries one.
  if (!isMark(peer.locks) && !hasNoRoom(own.locks)) return false;
  // The status is that of the main thread; once it has exited, the other threads' restrictions are unknown.
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

/** The number of system call filters; kernels before 5.9 report only whether there is one. */
function filtersIn(status: string): number {
  const count = /^Seccomp_filters:\s*(\d+)$/m.exec(status)?.[1];
  return count === undefined ? Number(/^Seccomp:\s*2$/m.test(status)) : Number(count);
}

function factsOf(process: number | 'self'): PeerFacts | undefined {
  const locks = hardLimit(process, MARK_TITLE);
  const status = readText(`/proc/${process}/status`);
  return locks === undefined || status === undefined ? undefined : { locks, status };
}

/** The process that called `connect`; `undefined` if the kernel does not report it. */
function peerOf(kernel: Kernel, descriptor: number): number | undefined {
  const credentials = new Int32Array(3);
  const result = option(kernel, descriptor, SO_PEERCRED, credentials);
  return result < 0 ? undefined : credentials[0];
}

/** Reads facts about the peer, and returns them only if its pid still identifies the same process afterwards. */
function readIdentified<T>(kernel: Kernel, descriptor: number, pid: number, read: () => T): T | undefined {
  const held = new Int32Array(1);
  const result = option(kernel, descriptor, SO_PEERPIDFD, held);
  // Linux before 6.5 has no pidfd for a peer.
  if (result === -constants.errno.ENOPROTOOPT) return read();
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
  return kernel.call('getsockopt', descriptor, SOL_SOCKET, name, value, length);
}

/** From Node's internal handle; `undefined` for a closed socket. */
function descriptorOf(client: object): number | undefined {
  const handle: unknown = Reflect.get(client, '_handle');
  if (typeof handle !== 'object' || handle === null || !('fd' in handle)) return undefined;
  return typeof handle.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
