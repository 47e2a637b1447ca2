import { mentionCommand } from '../../../../model/text/mention.ts';
import { closeSync, fstatSync } from 'node:fs';
import type { SamePlace } from '../../../../model/tools/confinement.ts';
import type { Kernel } from '../libc-library.ts';
import { openPlace } from '../open-place.ts';
import { SandboxProblem } from '../problem.ts';

/** What a rule allows at and below a path. */
export type PathAccess =
  /** Read files and list folders. */
  | 'read'
  /** Also execute. */
  | 'execute'
  /** Also write, create, remove and rename. */
  | 'write'
  /** Read, write and control a device. */
  | 'device';

export interface PathRule {
  /** Absolute, without symbolic links in it. */
  readonly path: string;
  readonly access: PathAccess;
  /** What must be there. */
  readonly same?: SamePlace | undefined;
}

export interface LandlockRules {
  readonly paths: readonly PathRule[];
  readonly network: boolean;
  readonly unixSockets: boolean;
}

/** The first version that can restrict signals and abstract sockets (Linux 6.12). */
export const LEAST_LANDLOCK_ABI = 6;

const FILE = {
  EXECUTE: 1n << 0n,
  WRITE_FILE: 1n << 1n,
  READ_FILE: 1n << 2n,
  READ_DIR: 1n << 3n,
  REMOVE_DIR: 1n << 4n,
  REMOVE_FILE: 1n << 5n,
  MAKE_CHAR: 1n << 6n,
  MAKE_DIR: 1n << 7n,
  MAKE_REG: 1n << 8n,
  MAKE_SOCK: 1n << 9n,
  MAKE_FIFO: 1n << 10n,
  MAKE_BLOCK: 1n << 11n,
  MAKE_SYM: 1n << 12n,
  REFER: 1n << 13n,
  TRUNCATE: 1n << 14n,
  IOCTL_DEV: 1n << 15n,
  RESOLVE_UNIX: 1n << 16n,
} as const;

const BIND_TCP = 1n << 0n;
const CONNECT_TCP = 1n << 1n;
const SCOPE_ABSTRACT_SOCKETS = 1n << 0n;
const SCOPE_SIGNALS = 1n << 1n;

/** Rights that a rule for a file may have; the kernel refuses others. */
const FILE_RIGHTS = FILE.EXECUTE | FILE.WRITE_FILE | FILE.READ_FILE | FILE.TRUNCATE | FILE.IOCTL_DEV;

const READ = FILE.READ_FILE | FILE.READ_DIR;

/** Never MAKE_CHAR or MAKE_BLOCK: a device node bypasses all folder rules. */
const RIGHTS: Readonly<Record<PathAccess, bigint>> = {
  read: READ,
  execute: READ | FILE.EXECUTE,
  write:
    READ |
    FILE.EXECUTE |
    FILE.WRITE_FILE |
    FILE.TRUNCATE |
    FILE.REMOVE_DIR |
    FILE.REMOVE_FILE |
    FILE.MAKE_DIR |
    FILE.MAKE_REG |
    FILE.MAKE_SYM |
    FILE.MAKE_FIFO |
    FILE.REFER,
  device: FILE.READ_FILE | FILE.WRITE_FILE | FILE.IOCTL_DEV,
};

const CREATE_RULESET_VERSION = 1;
const RULE_PATH_BENEATH = 1;

/** @returns the kernel's Landlock version, or a negative error */
export function landlockAbi(kernel: Kernel): number {
  return kernel.call('landlock_create_ruleset', 0, 0, CREATE_RULESET_VERSION);
}

/** The accesses that are denied unless a rule allows them. */
export function handledAccess(
  abi: number,
  open: Pick<LandlockRules, 'network' | 'unixSockets'>,
): { readonly files: bigint; readonly network: bigint; readonly scoped: bigint } {
  const everything = Object.values(FILE).reduce((sum, right) => sum | right, 0n);
  const closesPathSockets = abi >= 9 && !open.unixSockets;
  return {
    files: closesPathSockets ? everything : everything & ~FILE.RESOLVE_UNIX,
    network: open.network ? 0n : BIND_TCP | CONNECT_TCP,
    scoped: open.unixSockets ? SCOPE_SIGNALS : SCOPE_SIGNALS | SCOPE_ABSTRACT_SOCKETS,
  };
}

/** The rights a rule grants, depending on the kind of file at its path. */
export function rightsOf(
  access: PathAccess,
  kind: 'folder' | 'file' | 'device',
  unixSockets: boolean,
): bigint {
  const rights = RIGHTS[access] | (access === 'write' && unixSockets ? FILE.MAKE_SOCK : 0n);
  if (kind === 'folder') return rights;
  // A device that was named explicitly may be controlled.
  return (rights | (access === 'write' && kind === 'device' ? FILE.IOCTL_DEV : 0n)) & FILE_RIGHTS;
}

/**
 * Creates a ruleset for {@link enterRuleset}. Paths that do not exist are skipped and stay inaccessible.
 * @returns its file descriptor
 * @throws SandboxProblem
 */
export function createRuleset(kernel: Kernel, abi: number, rules: LandlockRules): number {
  const handled = handledAccess(abi, rules);
  const attributes = new BigUint64Array([handled.files, handled.network, handled.scoped]);
  const ruleset = kernel.call('landlock_create_ruleset', attributes, attributes.byteLength, 0);
  if (ruleset < 0) throw refused(kernel.describe('landlock_create_ruleset', ruleset));
  try {
    for (const rule of rules.paths) addRule(kernel, ruleset, rule, rules.unixSockets);
  } catch (error) {
    kernel.call('close', ruleset);
    throw error;
  }
  return ruleset;
}

/** Restricts the calling thread, and everything it starts, to the rules. @throws SandboxProblem */
export function enterRuleset(kernel: Kernel, ruleset: number): void {
  const result = kernel.call('landlock_restrict_self', ruleset, 0);
  kernel.call('close', ruleset);
  if (result !== 0) throw refused(kernel.describe('landlock_restrict_self', result));
}

function addRule(kernel: Kernel, ruleset: number, rule: PathRule, unixSockets: boolean): void {
  const descriptor = openPlace(rule.path, rule.same);
  if (descriptor === undefined) return;
  try {
    const attributes = new DataView(new ArrayBuffer(12));
    attributes.setBigUint64(0, rightsOf(rule.access, kindOf(descriptor), unixSockets), true);
    attributes.setInt32(8, descriptor, true);
    const result = kernel.call('landlock_add_rule', ruleset, RULE_PATH_BENEATH, attributes, 0);
    if (result !== 0) throw refused(`${kernel.describe('landlock_add_rule', result)} for ${rule.path}`);
  } finally {
    closeSync(descriptor);
  }
}

function kindOf(descriptor: number): 'folder' | 'file' | 'device' {
  const stat = fstatSync(descriptor);
  if (stat.isDirectory()) return 'folder';
  return stat.isFile() ? 'file' : 'device';
}

function refused(detail: string): SandboxProblem {
  return new SandboxProblem({
    message: 'The kernel refused the file rules of the sandbox.',
    suggestion: `Run ${mentionCommand('doctor')} to see what this machine supports.`,
    detail,
  });
}
