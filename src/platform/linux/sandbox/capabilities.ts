import type { Kernel } from './libc-library.ts';
import { SandboxProblem } from './problem.ts';

/**
 * The capabilities that root keeps: files of other owners, where the file rules allow it, and low ports. All others bypass the file rules:
 * CAP_PERFMON and CAP_SYS_ADMIN read other processes, CAP_CHOWN and CAP_FOWNER change files outside, CAP_MKNOD creates disks, CAP_SETUID
 * becomes other users.
 */
const KEPT = ['CAP_DAC_OVERRIDE', 'CAP_NET_BIND_SERVICE'] as const;
const NUMBER: Readonly<Record<(typeof KEPT)[number], number>> = {
  CAP_DAC_OVERRIDE: 1,
  CAP_NET_BIND_SERVICE: 10,
};
const KEPT_MASK = KEPT.reduce((mask, name) => mask | (1 << NUMBER[name]), 0);
const CAP_SETPCAP = 8;

const PR_CAPBSET_READ = 23;
const PR_CAPBSET_DROP = 24;
const PR_CAP_AMBIENT = 47;
const PR_CAP_AMBIENT_CLEAR_ALL = 4;
const VERSION_3 = 0x20080522;

/** Permanently drops all other capabilities of the calling thread, in all sets. @throws SandboxProblem */
export function dropCapabilities(kernel: Kernel): void {
  const before = readSets(kernel);
  // An ordinary user lacks this one and cannot change the bounding set, which no_new_privs makes irrelevant.
  if ((before.effective & (1 << CAP_SETPCAP)) !== 0) dropFromBoundingSet(kernel);
  check(kernel, 'prctl', kernel.call('prctl', PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
  const kept = before.permitted & KEPT_MASK;
  // Two rows of effective, permitted, inheritable: the low and the high 32 bits.
  const sets = new Uint32Array([kept, kept, 0, 0, 0, 0]);
  check(kernel, 'capset', kernel.call('capset', header(), sets));
}

/** The permitted capabilities in `/proc/PID/status`. */
export function heldCapabilities(status: string): readonly string[] {
  const mask = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const numbers = Array.from({ length: 64 }, (_, number) => number);
  return numbers
    .filter((number) => (mask & (1n << BigInt(number))) !== 0n)
    .map((number) => KEPT.find((name) => NUMBER[name] === number) ?? `capability ${number}`);
}

function dropFromBoundingSet(kernel: Kernel): void {
  for (let capability = 0; ; capability += 1) {
    const has = kernel.call('prctl', PR_CAPBSET_READ, capability, 0, 0, 0);
    if (has < 0) return;
    if (has === 0 || (capability < 32 && (KEPT_MASK & (1 << capability)) !== 0)) continue;
    check(kernel, 'prctl', kernel.call('prctl', PR_CAPBSET_DROP, capability, 0, 0, 0));
  }
}

/** The low 32 bits, which include all kept capabilities. */
function readSets(kernel: Kernel): { readonly effective: number; readonly permitted: number } {
  const sets = new Uint32Array(6);
  check(kernel, 'capget', kernel.call('capget', header(), sets));
  return { effective: sets[0] ?? 0, permitted: sets[1] ?? 0 };
}

function header(): Uint32Array {
  return new Uint32Array([VERSION_3, 0]);
}

function check(kernel: Kernel, name: 'prctl' | 'capget' | 'capset', result: number): void {
  if (result >= 0) return;
  throw new SandboxProblem({
    message: 'The capabilities of this user could not be dropped.',
    suggestion: 'Run as an ordinary user, who has no capabilities.',
    detail: kernel.describe(name, result),
  });
}
