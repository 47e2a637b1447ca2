import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { denialOf, socketDenial, type Denial } from './denials.ts';
import type { PathRule } from '../landlock/landlock.ts';
import { readMemory, type Kernel } from '../libc-library.ts';
import { walk, type Place, type Walker } from '../landlock/path-walk.ts';
import { SYSTEM_CALLS, type SystemCall } from './system-calls.ts';
import { fileAccessOf, WATCHED_CALLS, type PathArgument } from './watched-calls.ts';

/** Messages to the observer: a listener to serve, with the rules of its programs. */
export type ToObserver =
  | { readonly type: 'serve'; readonly listener: number; readonly rules: readonly PathRule[] }
  /** Requests an answer once all earlier messages are handled. */
  | { readonly type: 'flush'; readonly id: number };

export type FromObserver =
  | { readonly type: 'denied'; readonly listener: number; readonly denial: Denial; readonly program: string }
  | { readonly type: 'flushed'; readonly id: number }
  /** No process uses the filter any more. */
  | { readonly type: 'over'; readonly listener: number };

/** ioctl requests on a listener; the size of the structure is in the number. */
const RECEIVE = 0xc0502100;
const SEND = 0xc0182101;
const IS_VALID = 0x40082102;
const SET_FLAGS = 0x40082104;
/** Wakes the listener on the caller's CPU, which is about to become idle. Since Linux 6.6; an optimisation only. */
const WAKE_HERE = 1;
const REQUEST_BYTES = 80;
const ANSWER_BYTES = 24;
const CONTINUE = 1;

const POLLIN = 1;
const POLLHUP = 16;
const POLL_BYTES = 8;
const LONGEST_WAIT_MS = 200;
const MOST_PATH_BYTES = 4096;
/** Cached paths that are allowed; programs open the same ones repeatedly. */
const MOST_KNOWN = 20_000;

interface Served {
  readonly rules: readonly PathRule[];
  readonly open: Set<string>;
}

/**
 * Answers the kernel for watched calls, and records what the rules deny. Runs on its own thread and never returns, as calls of confined
 * programs wait for it. File calls always continue, as Landlock decides on them; sockets that arrive here are denied.
 * @param wake descriptor that becomes readable when messages arrive
 */
export function observe(kernel: Kernel, port: MessagePort, wake: number): never {
  const served = new Map<number, Served>();
  const calls = new Map(
    [...WATCHED_CALLS, 'socket' as const].map((call) => [SYSTEM_CALLS[call][kernel.architecture], call]),
  );
  const post = (message: FromObserver) => port.postMessage(message);
  for (;;) {
    const ready = poll(kernel, [wake, ...served.keys()]);
    for (const [listener, events] of ready) {
      const entry = served.get(listener);
      if (entry === undefined) continue;
      if ((events & POLLIN) !== 0) serve(kernel, listener, entry, calls, post);
      else if ((events & POLLHUP) !== 0) {
        served.delete(listener);
        // Before closing: another listener may get its number at once.
        post({ type: 'over', listener });
        kernel.call('close', listener);
      }
    }
    // Calls before messages, so that a flush waits for all earlier calls.
    if (!ready.has(wake)) continue;
    kernel.call('read', wake, new Uint8Array(8), 8);
    for (let it = receiveMessageOnPort(port); it !== undefined; it = receiveMessageOnPort(port)) {
      const message: ToObserver = it.message;
      if (message.type === 'flush') post({ type: 'flushed', id: message.id });
      else {
        kernel.call('ioctl', message.listener, SET_FLAGS, WAKE_HERE);
        served.set(message.listener, { rules: message.rules, open: new Set() });
      }
    }
  }
}

/** Waits for events. @returns events by descriptor */
function poll(kernel: Kernel, descriptors: readonly number[]): Map<number, number> {
  const list = new DataView(new ArrayBuffer(descriptors.length * POLL_BYTES));
  for (const [index, descriptor] of descriptors.entries()) {
    list.setInt32(index * POLL_BYTES, descriptor, true);
    list.setInt16(index * POLL_BYTES + 4, POLLIN, true);
  }
  // With a limit, as the thread can only be stopped between two waits.
  const deadline = new BigInt64Array([0n, BigInt(LONGEST_WAIT_MS) * 1_000_000n]);
  kernel.call('ppoll', list, descriptors.length, deadline, 0, 0);
  const events = descriptors.map((descriptor, index): [number, number] => [
    descriptor,
    list.getInt16(index * POLL_BYTES + 6, true),
  ]);
  return new Map(events.filter(([, happened]) => happened !== 0));
}

function serve(
  kernel: Kernel,
  listener: number,
  entry: Served,
  calls: ReadonlyMap<number | undefined, SystemCall>,
  post: (message: FromObserver) => void,
): void {
  const request = new DataView(new ArrayBuffer(REQUEST_BYTES));
  // The calling process may have exited.
  if (kernel.call('ioctl', listener, RECEIVE, request) !== 0) return;
  const thread = request.getUint32(8, true);
  const call = calls.get(request.getInt32(16, true));
  const values = Array.from({ length: 6 }, (_, index) => request.getBigUint64(32 + 8 * index, true));
  const isStillValid = () => kernel.call('ioctl', listener, IS_VALID, request) === 0;
  try {
    const denial = call === undefined ? undefined : examine(kernel, entry, call, values, thread);
    if (denial !== undefined && isStillValid())
      post({ type: 'denied', listener, denial, program: programOf(thread) });
  } catch {
    // A call that cannot be inspected is not recorded, but still answered.
  }
  const answer = new DataView(new ArrayBuffer(ANSWER_BYTES));
  answer.setBigUint64(0, request.getBigUint64(0, true), true);
  if (call === 'socket') answer.setInt32(16, -constants.errno.EACCES, true);
  else answer.setUint32(20, CONTINUE, true);
  kernel.call('ioctl', listener, SEND, answer);
}

function examine(
  kernel: Kernel,
  entry: Served,
  call: SystemCall,
  values: readonly bigint[],
  thread: number,
): Denial | undefined {
  // The worker thread itself, which is subject to the same filter.
  if (existsSync(`/proc/self/task/${thread}`)) return undefined;
  if (call === 'socket') return socketDenial(Number(BigInt.asIntN(32, values[0] ?? 0n)));
  const access = fileAccessOf(call, values);
  if (access === undefined) return undefined;
  const text = readText(kernel, thread, access.path.address);
  if (text === undefined || text === '') return undefined;
  // The result for an absolute path is the same for all programs, and paths that are read rarely move.
  const known =
    access.kind === 'open' && !access.writes && !access.creates && text.startsWith('/') ? text : undefined;
  if (known !== undefined && entry.open.has(known)) return undefined;
  const walker = walkerOf(thread);
  const place = placeOf(access.path, text, walker);
  if (place === undefined) return undefined;
  let to: Place | undefined;
  if (access.kind === 'rename' || access.kind === 'link') {
    const toText = readText(kernel, thread, access.to.address);
    to = toText === undefined ? undefined : placeOf(access.to, toText, walker);
  }
  const denial = denialOf(entry.rules, access, place, to);
  if (denial === undefined && known !== undefined && place.exists && entry.open.size < MOST_KNOWN)
    entry.open.add(known);
  return denial;
}

function placeOf(path: PathArgument, text: string, walker: Walker): Place | undefined {
  const from = text.startsWith('/')
    ? '/'
    : readlinkSync(
        `/proc/${walker.thread}/${path.descriptor === undefined ? 'cwd' : `fd/${path.descriptor}`}`,
      );
  return walk(text, from, walker, path.follow);
}

/** A string in the memory of another process; `undefined` if it cannot be read. */
function readText(kernel: Kernel, thread: number, address: bigint): string | undefined {
  const bytes = new Uint8Array(MOST_PATH_BYTES);
  const read = readMemory(kernel, thread, address, bytes);
  const end = bytes.indexOf(0);
  return read <= 0 || end === -1 || end >= read ? undefined : Buffer.from(bytes.subarray(0, end)).toString();
}

function walkerOf(thread: number): Walker {
  const status = readFileSync(`/proc/${thread}/status`, 'utf8');
  return { thread, process: Number(/^Tgid:\t(\d+)$/m.exec(status)?.[1] ?? thread) };
}

function programOf(thread: number): string {
  return readFileSync(`/proc/${walkerOf(thread).process}/comm`, 'utf8').trim();
}
