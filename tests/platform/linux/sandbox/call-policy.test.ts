import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callFilter, type CallPolicy } from '../../../../src/platform/linux/sandbox/seccomp/call-policy.ts';
import {
  LAST_REVIEWED_CALL,
  SYSTEM_CALLS,
} from '../../../../src/platform/linux/sandbox/seccomp/system-calls.ts';
import type {
  Architecture,
  SystemCall,
} from '../../../../src/platform/linux/sandbox/seccomp/system-calls.ts';
import { WATCHED_CALLS } from '../../../../src/platform/linux/sandbox/seccomp/watched-calls.ts';
import { runFilter } from './bpf-machine.ts';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const KILL = 0x80000000;
const ALLOW = 0x7fff0000;
const NOTIFY = 0x7fc00000;
const error = (errno: number) => 0x50000 | errno;
const [EPERM, EACCES, EINVAL, ENOSYS] = [1, 13, 22, 38].map((errno) => error(errno));
const CLOSED: CallPolicy = { network: false, unixSockets: false, notify: false };

function verdict(
  call: SystemCall,
  values: readonly (number | bigint)[],
  policy: CallPolicy = CLOSED,
  architecture: Architecture = 'x64',
): number {
  const number = SYSTEM_CALLS[call][architecture];
  if (number === undefined) throw new Error(`${architecture} has no ${call}`);
  const program = callFilter(architecture, policy);
  return runFilter(program, {
    number,
    architecture: AUDIT[architecture],
    arguments: values.map((value) => BigInt(value)),
  });
}

const anyWord = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const anyArguments = fc.array(anyWord, { minLength: 6, maxLength: 6 });
const architectures = ['x64', 'arm64'] as const;

describe('the system call filter', () => {
  it('kills a process that uses another architecture', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...architectures),
        fc.nat(0xffffffff),
        fc.nat(0xffffffff),
        anyArguments,
        (own, architecture, number, values) => {
          fc.pre(architecture !== AUDIT[own]);
          expect(runFilter(callFilter(own, CLOSED), { number, architecture, arguments: values })).toBe(KILL);
        },
      ),
    );
  });

  it('rejects unreviewed calls and those of the x32 ABI', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...architectures),
        fc.integer({ min: LAST_REVIEWED_CALL + 1, max: 0xffffffff }),
        anyArguments,
        (architecture, number, values) => {
          const call = { number, architecture: AUDIT[architecture], arguments: values };
          expect(runFilter(callFilter(architecture, CLOSED), call)).toBe(ENOSYS);
        },
      ),
    );
    expect(
      runFilter(callFilter('x64', CLOSED), { number: 0x40000000, architecture: AUDIT.x64, arguments: [] }),
    ).toBe(ENOSYS);
  });

  it('always reaches a verdict', () => {
    const policies = fc.record({
      network: fc.boolean(),
      unixSockets: fc.boolean(),
      notify: fc.boolean(),
      launcher: fc.option(fc.record({ process: fc.nat(4194304), thread: fc.nat(4194304) }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...architectures),
        policies,
        fc.nat(500),
        anyArguments,
        (own, policy, number, values) => {
          const call = { number, architecture: AUDIT[own], arguments: values };
          const outcome = runFilter(callFilter(own, policy), call);
          expect([ALLOW, NOTIFY, EPERM, EACCES, EINVAL, ENOSYS]).toContain(outcome);
          expect(outcome !== NOTIFY || policy.notify).toBe(true);
        },
      ),
    );
  });

  it.each(architectures)('opens no socket, whatever the high bits (%s)', (architecture) => {
    fc.assert(
      fc.property(anyArguments, (values) => {
        expect(verdict('socket', values, CLOSED, architecture)).toBe(EACCES);
        expect(verdict('connect', values, CLOSED, architecture)).toBe(EACCES);
        expect(verdict('bind', values, CLOSED, architecture)).toBe(EACCES);
      }),
    );
  });

  it('allows only what was requested', () => {
    const sockets = fc.tuple(
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 15 }),
      fc.nat(300),
      anyWord,
    );
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        sockets,
        (network, unixSockets, [domain, type, protocol, high]) => {
          const policy = { network, unixSockets, notify: false };
          const noise = (high >> 32n) << 32n;
          const flags = 0o2004000;
          const given = [BigInt(domain) | noise, BigInt(type | flags) | noise, BigInt(protocol) | noise];
          const internet = [2, 10].includes(domain) && [1, 2].includes(type);
          const routes = domain === 16 && protocol === 0;
          const allowed = (network && (internet || routes)) || (unixSockets && domain === 1);
          expect(verdict('socket', given, policy)).toBe(allowed ? ALLOW : EACCES);
          const pair = domain === 1 && (unixSockets || type === 1 || type === 5);
          expect(verdict('socketpair', given, policy)).toBe(pair ? ALLOW : EACCES);
        },
      ),
    );
  });

  it('forbids new namespaces', () => {
    const flags = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    fc.assert(
      fc.property(fc.constantFrom(...flags), anyWord, (flag, others) => {
        expect(verdict('unshare', [BigInt(flag) | others])).toBe(EPERM);
        // For clone the lowest bits are the number of a signal.
        const inClone = flag === 0x80 ? 0x20000 : flag;
        expect(verdict('clone', [BigInt(inClone) | others, 0, 0, 0, 0])).toBe(EPERM);
      }),
    );
    // A thread and a process as the C library makes them; what clone3 wants stands in memory.
    expect(verdict('clone', [0x3d0f00, 0, 0, 0, 0])).toBe(ALLOW);
    expect(verdict('clone', [0x01200011, 0, 0, 0, 0])).toBe(ALLOW);
    expect(verdict('clone3', [1, 88])).toBe(ENOSYS);
    expect(verdict('unshare', [0x400])).toBe(ALLOW);
    expect(verdict('setns', [3, 0])).toBe(EPERM);
  });

  it('forbids devices and setuid files', () => {
    fc.assert(
      fc.property(fc.nat(0o7777), (mode) => {
        const expected = (mode & 0o4000) === 0 ? ALLOW : EPERM;
        expect(verdict('chmod', [1, mode])).toBe(expected);
        expect(verdict('fchmodat2', [1, 1, mode])).toBe(expected);
        expect(verdict('openat', [-100, 1, 0o101, mode])).toBe(expected);
        // Without making a file the mode is whatever stood in the register.
        expect(verdict('openat', [-100, 1, 0o1, mode])).toBe(ALLOW);
        expect(verdict('openat', [-100, 1, 0o20200002, mode])).toBe(expected);
        expect(verdict('mknodat', [-100, 1, 0o020000 | mode])).toBe(EPERM);
        expect(verdict('mknodat', [-100, 1, 0o060000 | mode])).toBe(EPERM);
        expect(verdict('mknodat', [-100, 1, 0o010000 | mode])).toBe(expected);
      }),
    );
    expect(verdict('ioctl', [0, 0x5412n | (7n << 32n), 1])).toBe(EPERM);
    expect(verdict('ioctl', [0, 0x5423, 1])).toBe(EPERM);
    expect(verdict('ioctl', [0, 0x5401, 1])).toBe(ALLOW);
  });

  it('protects the mark and other processes’ limits', () => {
    expect(verdict('prlimit64', [0, 7, 1, 0])).toBe(ALLOW);
    expect(verdict('prlimit64', [0, 10, 0, 1])).toBe(ALLOW);
    expect(verdict('prlimit64', [0, 10, 1, 0])).toBe(EPERM);
    expect(verdict('prlimit64', [0, 10, 1n << 40n, 0])).toBe(EPERM);
    expect(verdict('prlimit64', [0, 10n | (1n << 40n), 1, 0])).toBe(EPERM);
    expect(verdict('prlimit64', [1, 0, 1, 0])).toBe(EPERM);
    expect(verdict('setrlimit', [10, 1])).toBe(EPERM);
    expect(verdict('setrlimit', [7, 1])).toBe(ALLOW);
  });

  it('protects the thread that starts programs', () => {
    const policy = { ...CLOSED, launcher: { process: 100, thread: 107 } };
    const reaching: [SystemCall, number[]][] = [
      ['kill', [100, 9]],
      ['kill', [107, 9]],
      ['tkill', [107, 9]],
      ['tgkill', [100, 105, 9]],
      ['tgkill', [5, 107, 9]],
      ['rt_sigqueueinfo', [107, 9, 1]],
      ['rt_tgsigqueueinfo', [100, 105, 9, 1]],
      ['ptrace', [16, 107, 0, 0]],
      ['process_vm_writev', [107, 1, 1, 1, 1, 0]],
      ['fcntl', [3, 8, 107]],
      ['fcntl', [3, 15, 1]],
      ['ioctl', [3, 0x8901, 1]],
    ];
    for (const [call, values] of reaching)
      expect([call, verdict(call, values, policy)]).toEqual([call, EPERM]);
    expect(verdict('pidfd_open', [107, 0x80], policy)).toBe(EINVAL);
    expect(verdict('pidfd_open', [107, 0], policy)).toBe(ALLOW);
    expect(verdict('kill', [200, 9], policy)).toBe(ALLOW);
    expect(verdict('ptrace', [16, 200, 0, 0], policy)).toBe(ALLOW);
    expect(verdict('fcntl', [3, 8, 200], policy)).toBe(ALLOW);
  });

  it('sends file calls and denied sockets to a listener if requested, and refuses the rest', () => {
    const policy = { ...CLOSED, notify: true };
    for (const call of WATCHED_CALLS)
      expect([call, verdict(call, [0, 0, 0, 0, 0], policy)]).toEqual([call, NOTIFY]);
    expect(verdict('socket', [2, 1, 0], policy)).toBe(NOTIFY);
    expect(verdict('mount', [1, 1, 1, 0, 0], policy)).toBe(EPERM);
    expect(verdict('connect', [3, 1, 16], policy)).toBe(EACCES);
    expect(verdict('mknodat', [-100, 1, 0o020000], policy)).toBe(EPERM);
    expect(verdict('socket', [2, 1, 0], { ...policy, network: true })).toBe(ALLOW);
  });

  it.each(['x64', 'arm64'] as const)('is short enough for the kernel (%s)', (architecture) => {
    const launcher = { process: 1, thread: 2 };
    const lengths = [true, false].map(
      (notify) => callFilter(architecture, { ...CLOSED, notify, launcher }).length / 8,
    );
    expect(Math.max(...lengths)).toBeLessThan(4096);
  });
});

const HEADERS = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
} as const;

describe.each(architectures)('the system call numbers of %s', (architecture) => {
  const header = HEADERS[architecture];
  it.skipIf(!existsSync(header))(`match ${header} (needs linux-libc-dev)`, () => {
    const known = new Map(
      [...readFileSync(header, 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)/gm)].map((it) => [
        it[1],
        Number(it[2]),
      ]),
    );
    // Newer than the headers of the distribution, by the table in the kernel's own sources.
    const later = new Set([
      'fchmodat2',
      'file_setattr',
      'listmount',
      'lsm_set_self_attr',
      'open_tree_attr',
      'statmount',
    ]);
    const wrong = Object.entries(SYSTEM_CALLS).filter(
      ([name, numbers]) =>
        !(later.has(name) && !known.has(name)) && known.get(name) !== numbers[architecture],
    );
    expect(wrong).toEqual([]);
  });
});
