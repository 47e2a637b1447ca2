import { constants } from 'node:os';
import { AF_INET, AF_INET6, AF_UNIX, O_TMPFILE_BIT, SOCK_DGRAM, SOCK_STREAM } from '../libc-library.ts';
import { assemble, VERDICTS, type Rule, type Test } from './bpf-program.ts';
import { LAST_REVIEWED_CALL, refusedCalls, SYSTEM_CALLS } from './system-calls.ts';
import type { Architecture, SystemCall } from './system-calls.ts';
import { WATCHED_CALLS } from './watched-calls.ts';

/** The system calls that a confined program may use. */
export interface CallPolicy {
  readonly network: boolean;
  readonly unixSockets: boolean;
  /** File calls and denied sockets are sent to a listener, which records them. */
  readonly notify: boolean;
  /**
   * The process and thread that start the confined programs. The thread is in their Landlock domain, so Landlock would let them signal and
   * trace it, and through it the whole process.
   */
  readonly launcher?: { readonly process: number; readonly thread: number } | undefined;
}

const { EPERM, EACCES, EINVAL, ENOSYS } = constants.errno;

const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** The socket type without its flags. */
const SOCKET_TYPE = 0xf;
const SOCK_SEQPACKET = 5;

const SETUID_BIT = 0o4000;
const O_CREAT = 0o100;
const FILE_TYPE = 0o170000;
const CHARACTER_DEVICE = 0o020000;
const BLOCK_DEVICE = 0o060000;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
const CLONE_NEWTIME = 0x80;
/** `pidfd_open` of a single thread. */
const PIDFD_THREAD = 0x80;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Loads kernel modules for modems and networks. */
const TIOCSETD = 0x5423;
const FIOSETOWN = 0x8901;
const SIOCSPGRP = 0x8902;
const F_SETOWN = 8;
const F_SETOWN_EX = 15;

/** The limit that carries the mark of an operation; see operation-mark.ts. */
export const RLIMIT_LOCKS = 10;

/** The filter for a policy, in the kernel's format. */
export function callFilter(architecture: Architecture, policy: CallPolicy): Uint8Array {
  const rules = callRules(policy);
  return assemble({
    auditArchitecture: AUDIT_ARCHITECTURE[architecture],
    lastCall: LAST_REVIEWED_CALL,
    rules: rules.flatMap(({ call, ...rest }): Rule[] => {
      const number = SYSTEM_CALLS[call][architecture];
      return number === undefined ? [] : [{ call: number, ...rest }];
    }),
  });
}

interface NamedRule extends Omit<Rule, 'call'> {
  readonly call: SystemCall;
}

function callRules(policy: CallPolicy): NamedRule[] {
  return [
    ...refusedCalls('forbidden').map((call) => forbid(call)),
    ...refusedCalls('missing').map((call) => forbid(call, [], ENOSYS)),
    ...namespaceRules(),
    ...deviceRules(),
    ...ownershipRules(),
    ...(policy.launcher === undefined ? [] : launcherRules(policy.launcher)),
    ...socketRules(policy),
    ...(policy.notify ? WATCHED_CALLS.map((call) => ({ call, verdict: VERDICTS.notify })) : []),
  ];
}

function namespaceRules(): NamedRule[] {
  return [
    ...NEW_NAMESPACES.flatMap((flag) => [forbid('clone', [has(0, flag)]), forbid('unshare', [has(0, flag)])]),
    forbid('unshare', [has(0, CLONE_NEWTIME)]),
  ];
}

/** Device nodes, setuid files, and typing into a terminal. */
function deviceRules(): NamedRule[] {
  const modes: [SystemCall, number][] = [
    ['chmod', 1],
    ['fchmod', 1],
    ['fchmodat', 2],
    ['fchmodat2', 2],
    ['creat', 1],
    ['mknod', 1],
    ['mknodat', 2],
  ];
  // The mode of an open call matters only if it may create a file.
  const opens: [SystemCall, number][] = [
    ['open', 1],
    ['openat', 2],
  ];
  const nodes: [SystemCall, number][] = [
    ['mknod', 1],
    ['mknodat', 2],
  ];
  return [
    ...modes.map(([call, mode]) => forbid(call, [has(mode, SETUID_BIT)])),
    ...opens.flatMap(([call, flags]) =>
      [O_CREAT, O_TMPFILE_BIT].map((making) =>
        forbid(call, [has(flags, making), has(flags + 1, SETUID_BIT)]),
      ),
    ),
    ...nodes.flatMap(([call, mode]) =>
      [CHARACTER_DEVICE, BLOCK_DEVICE].map((kind) =>
        forbid(call, [{ argument: mode, mask: FILE_TYPE, is: kind }]),
      ),
    ),
    ...[TIOCSTI, TIOCLINUX, TIOCSETD].map((request) => forbid('ioctl', [{ argument: 1, is: request }])),
  ];
}

/** Limits of other processes (a CPU time limit would kill them), and our mark. */
function ownershipRules(): NamedRule[] {
  return [
    forbid('prlimit64', [{ argument: 0, isNot: 0 }]),
    forbid('prlimit64', [
      { argument: 1, is: RLIMIT_LOCKS },
      { argument: 2, isPointer: true },
    ]),
    forbid('setrlimit', [{ argument: 0, is: RLIMIT_LOCKS }]),
  ];
}

function launcherRules({ process, thread }: { process: number; thread: number }): NamedRule[] {
  const at = (argument: number, is: number): Test => ({ argument, is });
  const byProcessOrThread: SystemCall[] = ['kill', 'tkill', 'tgkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo'];
  const memory: SystemCall[] = ['process_vm_readv', 'process_vm_writev'];
  return [
    ...[...byProcessOrThread, ...memory].flatMap((call) => [
      forbid(call, [at(0, process)]),
      forbid(call, [at(0, thread)]),
    ]),
    forbid('tgkill', [at(1, thread)]),
    forbid('rt_tgsigqueueinfo', [at(1, thread)]),
    forbid('ptrace', [at(1, process)]),
    forbid('ptrace', [at(1, thread)]),
    forbid('pidfd_open', [has(1, PIDFD_THREAD)], EINVAL),
    // Signals on input: the recipient is in memory or a number.
    forbid('fcntl', [at(1, F_SETOWN_EX)]),
    forbid('fcntl', [at(1, F_SETOWN), at(2, thread)]),
    forbid('fcntl', [at(1, F_SETOWN), at(2, process)]),
    forbid('ioctl', [at(1, FIOSETOWN)]),
    forbid('ioctl', [at(1, SIOCSPGRP)]),
  ];
}

function socketRules({ network, unixSockets, notify }: CallPolicy): NamedRule[] {
  const closed = notify ? VERDICTS.notify : VERDICTS.error(EACCES);
  const domain = (is: number): Test => ({ argument: 0, is });
  const type = (is: number): Test => ({ argument: 1, mask: SOCKET_TYPE, is });
  const open = (call: SystemCall, when: readonly Test[]): NamedRule => ({
    call,
    when,
    verdict: VERDICTS.allow,
  });
  const openInternet = [AF_INET, AF_INET6].flatMap((family) =>
    [SOCK_STREAM, SOCK_DGRAM].map((kind) => open('socket', [domain(family), type(kind)])),
  );
  // Name lookup needs the machine's addresses.
  const openRoutes = open('socket', [domain(AF_NETLINK), { argument: 2, is: NETLINK_ROUTE }]);
  // A socket pair cannot reach other sockets, unless it is of datagram type.
  const pairs = [SOCK_STREAM, SOCK_SEQPACKET].map((kind) =>
    open('socketpair', [domain(AF_UNIX), type(kind)]),
  );
  const naming: SystemCall[] = ['bind', 'connect', 'listen', 'accept', 'accept4'];
  return [
    ...(network ? [...openInternet, openRoutes] : []),
    ...(unixSockets ? [open('socket', [domain(AF_UNIX)]), open('socketpair', [domain(AF_UNIX)])] : pairs),
    { call: 'socket', verdict: closed },
    { call: 'socketpair', verdict: VERDICTS.error(EACCES) },
    ...(network || unixSockets
      ? []
      : naming.map((call): NamedRule => ({ call, verdict: VERDICTS.error(EACCES) }))),
  ];
}

function forbid(call: SystemCall, when: readonly Test[] = [], errno = EPERM): NamedRule {
  return { call, when, verdict: VERDICTS.error(errno) };
}

/** This bit is set. */
function has(argument: number, bit: number): Test {
  return { argument, mask: bit, is: bit };
}
