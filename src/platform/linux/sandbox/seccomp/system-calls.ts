/** Supported processors. */
export type Architecture = 'x64' | 'arm64';

/** Numbers by architecture; `undefined` if it has no such call. */
interface Call extends Readonly<Record<Architecture, number | undefined>> {
  /** Why confined programs may never use it; others are restricted by their arguments in `call-policy.ts`, or allowed. */
  readonly refused?: Refusal;
}

type Refusal =
  /** Mounts, namespaces, kernel modules, the clock, the machine; keys, System V IPC and POSIX message queues, which bypass folder rules. */
  | 'forbidden'
  /** Its arguments are in memory, where a filter cannot read them; programs fall back to other calls if it is missing. */
  | 'missing';

/** Numbers from `asm/unistd_64.h` for x86-64 and `asm-generic/unistd.h` for ARM64. Above 423 they are the same. */
export const SYSTEM_CALLS = {
  accept: { x64: 43, arm64: 202 },
  accept4: { x64: 288, arm64: 242 },
  acct: { x64: 163, arm64: 89, refused: 'forbidden' },
  add_key: { x64: 248, arm64: 217, refused: 'forbidden' },
  bind: { x64: 49, arm64: 200 },
  bpf: { x64: 321, arm64: 280, refused: 'forbidden' },
  capget: { x64: 125, arm64: 90 },
  capset: { x64: 126, arm64: 91 },
  chmod: { x64: 90, arm64: undefined },
  chroot: { x64: 161, arm64: 51, refused: 'forbidden' },
  clock_settime: { x64: 227, arm64: 112, refused: 'forbidden' },
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435, refused: 'missing' },
  close: { x64: 3, arm64: 57 },
  close_range: { x64: 436, arm64: 436 },
  connect: { x64: 42, arm64: 203 },
  creat: { x64: 85, arm64: undefined },
  delete_module: { x64: 176, arm64: 106, refused: 'forbidden' },
  eventfd2: { x64: 290, arm64: 19 },
  execve: { x64: 59, arm64: 221 },
  execveat: { x64: 322, arm64: 281 },
  fanotify_init: { x64: 300, arm64: 262, refused: 'forbidden' },
  fchmod: { x64: 91, arm64: 52 },
  fchmodat: { x64: 268, arm64: 53 },
  fchmodat2: { x64: 452, arm64: 452 },
  fcntl: { x64: 72, arm64: 25 },
  file_setattr: { x64: 469, arm64: 469, refused: 'forbidden' },
  finit_module: { x64: 313, arm64: 273, refused: 'forbidden' },
  fsconfig: { x64: 431, arm64: 431, refused: 'forbidden' },
  fsmount: { x64: 432, arm64: 432, refused: 'forbidden' },
  fsopen: { x64: 430, arm64: 430, refused: 'forbidden' },
  fspick: { x64: 433, arm64: 433, refused: 'forbidden' },
  getpid: { x64: 39, arm64: 172 },
  getppid: { x64: 110, arm64: 173 },
  getsockopt: { x64: 55, arm64: 209 },
  gettid: { x64: 186, arm64: 178 },
  init_module: { x64: 175, arm64: 105, refused: 'forbidden' },
  io_uring_enter: { x64: 426, arm64: 426, refused: 'missing' },
  io_uring_register: { x64: 427, arm64: 427, refused: 'missing' },
  io_uring_setup: { x64: 425, arm64: 425, refused: 'missing' },
  ioctl: { x64: 16, arm64: 29 },
  ioperm: { x64: 173, arm64: undefined, refused: 'forbidden' },
  iopl: { x64: 172, arm64: undefined, refused: 'forbidden' },
  kexec_file_load: { x64: 320, arm64: 294, refused: 'forbidden' },
  kexec_load: { x64: 246, arm64: 104, refused: 'forbidden' },
  keyctl: { x64: 250, arm64: 219, refused: 'forbidden' },
  kill: { x64: 62, arm64: 129 },
  landlock_add_rule: { x64: 445, arm64: 445 },
  landlock_create_ruleset: { x64: 444, arm64: 444 },
  landlock_restrict_self: { x64: 446, arm64: 446 },
  link: { x64: 86, arm64: undefined },
  linkat: { x64: 265, arm64: 37 },
  listen: { x64: 50, arm64: 201 },
  listmount: { x64: 458, arm64: 458, refused: 'forbidden' },
  lookup_dcookie: { x64: 212, arm64: 18, refused: 'forbidden' },
  lsm_set_self_attr: { x64: 460, arm64: 460, refused: 'forbidden' },
  memfd_create: { x64: 319, arm64: 279 },
  mkdir: { x64: 83, arm64: undefined },
  mkdirat: { x64: 258, arm64: 34 },
  mknod: { x64: 133, arm64: undefined },
  mknodat: { x64: 259, arm64: 33 },
  modify_ldt: { x64: 154, arm64: undefined, refused: 'forbidden' },
  mount: { x64: 165, arm64: 40, refused: 'forbidden' },
  mount_setattr: { x64: 442, arm64: 442, refused: 'forbidden' },
  move_mount: { x64: 429, arm64: 429, refused: 'forbidden' },
  mq_open: { x64: 240, arm64: 180, refused: 'forbidden' },
  mq_unlink: { x64: 241, arm64: 181, refused: 'forbidden' },
  msgctl: { x64: 71, arm64: 187, refused: 'forbidden' },
  msgget: { x64: 68, arm64: 186, refused: 'forbidden' },
  msgrcv: { x64: 70, arm64: 188, refused: 'forbidden' },
  msgsnd: { x64: 69, arm64: 189, refused: 'forbidden' },
  nfsservctl: { x64: 180, arm64: 42, refused: 'forbidden' },
  open: { x64: 2, arm64: undefined },
  open_by_handle_at: { x64: 304, arm64: 265, refused: 'forbidden' },
  open_tree: { x64: 428, arm64: 428, refused: 'forbidden' },
  open_tree_attr: { x64: 467, arm64: 467, refused: 'forbidden' },
  openat: { x64: 257, arm64: 56 },
  openat2: { x64: 437, arm64: 437, refused: 'missing' },
  perf_event_open: { x64: 298, arm64: 241, refused: 'forbidden' },
  pidfd_open: { x64: 434, arm64: 434 },
  pidfd_send_signal: { x64: 424, arm64: 424 },
  pipe2: { x64: 293, arm64: 59 },
  pivot_root: { x64: 155, arm64: 41, refused: 'forbidden' },
  ppoll: { x64: 271, arm64: 73 },
  prctl: { x64: 157, arm64: 167 },
  prlimit64: { x64: 302, arm64: 261 },
  process_mrelease: { x64: 448, arm64: 448, refused: 'forbidden' },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  ptrace: { x64: 101, arm64: 117 },
  quotactl: { x64: 179, arm64: 60, refused: 'forbidden' },
  quotactl_fd: { x64: 443, arm64: 443, refused: 'forbidden' },
  read: { x64: 0, arm64: 63 },
  reboot: { x64: 169, arm64: 142, refused: 'forbidden' },
  recvmsg: { x64: 47, arm64: 212 },
  rename: { x64: 82, arm64: undefined },
  renameat: { x64: 264, arm64: 38 },
  renameat2: { x64: 316, arm64: 276 },
  request_key: { x64: 249, arm64: 218, refused: 'forbidden' },
  rmdir: { x64: 84, arm64: undefined },
  rt_sigqueueinfo: { x64: 129, arm64: 138 },
  rt_tgsigqueueinfo: { x64: 297, arm64: 240 },
  seccomp: { x64: 317, arm64: 277 },
  semctl: { x64: 66, arm64: 191, refused: 'forbidden' },
  semget: { x64: 64, arm64: 190, refused: 'forbidden' },
  semop: { x64: 65, arm64: 193, refused: 'forbidden' },
  semtimedop: { x64: 220, arm64: 192, refused: 'forbidden' },
  sendmsg: { x64: 46, arm64: 211 },
  setdomainname: { x64: 171, arm64: 162, refused: 'forbidden' },
  sethostname: { x64: 170, arm64: 161, refused: 'forbidden' },
  setns: { x64: 308, arm64: 268, refused: 'forbidden' },
  setrlimit: { x64: 160, arm64: 164 },
  settimeofday: { x64: 164, arm64: 170, refused: 'forbidden' },
  shmat: { x64: 30, arm64: 196, refused: 'forbidden' },
  shmctl: { x64: 31, arm64: 195, refused: 'forbidden' },
  shmget: { x64: 29, arm64: 194, refused: 'forbidden' },
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
  statmount: { x64: 457, arm64: 457, refused: 'forbidden' },
  swapoff: { x64: 168, arm64: 225, refused: 'forbidden' },
  swapon: { x64: 167, arm64: 224, refused: 'forbidden' },
  symlink: { x64: 88, arm64: undefined },
  symlinkat: { x64: 266, arm64: 36 },
  syslog: { x64: 103, arm64: 116, refused: 'forbidden' },
  tgkill: { x64: 234, arm64: 131 },
  tkill: { x64: 200, arm64: 130 },
  truncate: { x64: 76, arm64: 45 },
  umount2: { x64: 166, arm64: 39, refused: 'forbidden' },
  unlink: { x64: 87, arm64: undefined },
  unlinkat: { x64: 263, arm64: 35 },
  unshare: { x64: 272, arm64: 97 },
  userfaultfd: { x64: 323, arm64: 282, refused: 'forbidden' },
  vhangup: { x64: 153, arm64: 58, refused: 'forbidden' },
  wait4: { x64: 61, arm64: 260 },
  write: { x64: 1, arm64: 64 },
} as const satisfies Readonly<Record<string, Call>>;

export type SystemCall = keyof typeof SYSTEM_CALLS;

/** The calls among these names. */
export function systemCalls(names: readonly string[]): SystemCall[] {
  return names.filter((name): name is SystemCall => Object.hasOwn(SYSTEM_CALLS, name));
}

/** The calls that are refused for this reason, whatever their arguments. */
export function refusedCalls(reason: Refusal): SystemCall[] {
  return systemCalls(Object.keys(SYSTEM_CALLS)).filter((name) => {
    const call: Call = SYSTEM_CALLS[name];
    return call.refused === reason;
  });
}

/** The highest call reviewed for the sandbox (`file_setattr`); later ones fail with ENOSYS. */
export const LAST_REVIEWED_CALL = 469;
