import { byPerson } from '../../../model/text/mention.ts';
import type { default as Koffi, KoffiFunc } from 'koffi';
import { SandboxProblem } from './problem.ts';
import { SYSTEM_CALLS, type Architecture, type SystemCall } from './seccomp/system-calls.ts';

/** A number, or memory that the kernel reads or writes. */
export type Argument = number | bigint | NodeJS.ArrayBufferView;

/** Access to system calls. */
export interface Kernel {
  readonly architecture: Architecture;
  /**
   * Blocks the calling thread; changes to credentials or confinement apply to that thread only.
   * @returns the kernel's result, or the negative error number
   */
  call(name: SystemCall, ...values: readonly Argument[]): number;
  /**
   * The same on a thread of Node's pool, for a call that waits: the others of the pool do its work meanwhile.
   * @returns -1 for an error, whose number is lost on that thread
   */
  callOnThread(name: SystemCall, ...values: readonly Argument[]): Promise<number>;
  /** A C library function whose arguments are all numbers or memory, and whose result is an `int`. */
  library(name: LibraryFunction, parameters: number): (...values: readonly Argument[]) => number;
  /**
   * Functions of another shared library, whose arguments are all numbers or memory, and whose results are words.
   * @throws Error if it is not installed
   */
  foreign(
    file: string,
  ): (name: string, parameters: number) => (...values: readonly Argument[]) => number | bigint;
  /** The address of memory, for a structure that points to it; valid until the next call returns. */
  address(memory: NodeJS.ArrayBufferView): bigint;
  /** Such as `EACCES`. */
  errorName(errno: number): string;
  /** A readable result: `openat: EACCES`. */
  describe(name: SystemCall, result: number): string;
}

/** C library functions that are not single system calls. */
export type LibraryFunction =
  | 'posix_spawn'
  | 'posix_spawn_file_actions_addchdir_np'
  | 'posix_spawn_file_actions_addclose'
  | 'posix_spawn_file_actions_adddup2'
  | 'posix_spawn_file_actions_addopen'
  | 'posix_spawn_file_actions_destroy'
  | 'posix_spawn_file_actions_init'
  | 'posix_spawnattr_init'
  | 'posix_spawnattr_setflags'
  | 'posix_spawnattr_setsigdefault'
  | 'posix_spawnattr_setsigmask';

const MOST_ARGUMENTS = 6;

/**
 * Loads koffi, the only native code, on the calling thread.
 * @throws SandboxProblem if it is not installed or the architecture is not supported
 */
export async function loadKernel(): Promise<Kernel> {
  const architecture = process.arch;
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new SandboxProblem({
      message: `The sandbox does not support ${architecture} processors.`,
      suggestion: `${byPerson('Use an x86-64 or ARM64 machine, or --no-sandbox if you accept the risk')}.`,
    });
  }
  const koffi = await loadKoffi();
  const loaded = koffi.load(null);
  // A raw address does not keep its buffer from being garbage-collected.
  const held: Uint8Array[] = [];
  const address = ({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): bigint => {
    const memory = new Uint8Array(buffer, byteOffset, byteLength);
    held.push(memory);
    return koffi.address(memory);
  };
  const words = (values: readonly Argument[]): (number | bigint)[] =>
    values.map((value) => (typeof value === 'object' ? address(value) : value));
  const declare = (
    name: string,
    result: string,
    parameters: number,
    library = loaded,
  ): KoffiFunc<(...values: (number | bigint)[]) => number> =>
    library.func(
      name,
      result,
      Array.from({ length: parameters }, () => 'intptr_t'),
    );
  // Fixed arguments instead of `...`: both architectures pass them the same way.
  const invoke = declare('syscall', 'intptr_t', MOST_ARGUMENTS + 1);
  const names = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
  return {
    architecture,
    call: (name, ...values) => {
      const number = SYSTEM_CALLS[name][architecture];
      if (number === undefined) throw new Error(`${architecture} has no system call ${name}.`);
      const result = invoke(number, ...words([...values, 0, 0, 0, 0, 0, 0].slice(0, MOST_ARGUMENTS)));
      const outcome = result === -1 ? -koffi.errno() : result;
      held.length = 0;
      return outcome;
    },
    callOnThread: (name, ...values) => {
      const number = SYSTEM_CALLS[name][architecture];
      if (number === undefined) throw new Error(`${architecture} has no system call ${name}.`);
      const memory = values.map((value) =>
        typeof value === 'object' ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value,
      );
      const words = memory.map((value) => (typeof value === 'object' ? koffi.address(value) : value));
      const filled = [...words, 0, 0, 0, 0, 0, 0].slice(0, MOST_ARGUMENTS);
      return new Promise((resolve, reject) => {
        invoke.async(number, ...filled, (error: unknown, result: number) => {
          // Naming the memory keeps it until here.
          if (error || memory.length !== values.length) reject(error);
          else resolve(result);
        });
      });
    },
    library: (name, parameters) => {
      const declared = declare(name, 'int', parameters);
      return (...values) => {
        const result = declared(...words(values));
        held.length = 0;
        return result;
      };
    },
    foreign: (file) => {
      const library = koffi.load(file);
      return (name, parameters) => {
        const declared = declare(name, 'intptr_t', parameters, library);
        return (...values) => {
          const result = declared(...words(values));
          held.length = 0;
          return result;
        };
      };
    },
    address,
    errorName: (errno) => names.get(errno) ?? String(errno),
    describe: (name, result) => `${name}: ${names.get(-result) ?? result}`,
  };
}

async function loadKoffi(): Promise<typeof Koffi> {
  try {
    const { default: koffi } = await import('koffi');
    return koffi;
  } catch (error) {
    throw new SandboxProblem(
      {
        message: 'The sandbox needs the package koffi, which is not installed.',
        suggestion: `${byPerson('Run "npm install koffi" next to deskterity, or reinstall deskterity without --omit=optional')}.`,
        detail: error instanceof Error ? error.message : String(error),
      },
      { cause: error },
    );
  }
}

/** Reads memory of another process. @returns the number of bytes, or the negative error number */
export function readMemory(kernel: Kernel, thread: number, address: bigint, into: Uint8Array): number {
  const local = new BigUint64Array([kernel.address(into), BigInt(into.length)]);
  const remote = new BigUint64Array([address, BigInt(into.length)]);
  return kernel.call('process_vm_readv', thread, local, 1, remote, 1, 0);
}

// Constants of the kernel that Node does not have, the same on x86-64 and ARM64.

export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_STREAM = 1;
export const SOCK_DGRAM = 2;
export const AT_FDCWD = -100;
export const O_CLOEXEC = 0o2000000;
export const O_PATH = 0o10000000;
export const O_TMPFILE_BIT = 0o20000000;

/** Whether processes of the same user may read and trace this one. A confined program shares the Landlock domain of the thread that started
 * it, so Landlock would allow both through that thread. A process that is not dumpable requires CAP_SYS_PTRACE. */
export const PR_SET_DUMPABLE = 4;

/** Makes this process the parent of its orphaned descendants. */
export const PR_SET_CHILD_SUBREAPER = 36;
