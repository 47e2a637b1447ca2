import type Koffi from 'koffi';
import { SandboxProblem } from './problem.ts';
import { SYSTEM_CALLS } from './seccomp/system-calls.ts';
import type { Architecture, SystemCall } from './seccomp/system-calls.ts';

/** A number, or memory that the kernel reads or fills in. */
export type Argument = number | bigint | Uint8Array;

/** The kernel, by system call. */
export interface Kernel {
  readonly architecture: Architecture;
  /**
   * Blocks the calling thread; what it changes of credentials or confinement it changes for that thread alone.
   * @returns what the kernel returned, an error as its negative number
   */
  call(name: SystemCall, ...values: readonly Argument[]): number;
  /** A function of the C library whose arguments are all numbers or memory, and whose result is an `int`. */
  library(name: LibraryFunction, parameters: number): (...values: readonly Argument[]) => number;
  /** Where memory lies, for a structure that points to it. It is there until the next call is through. */
  address(memory: Uint8Array): bigint;
  /** Such as `EACCES`. */
  errorName(errno: number): string;
  /** The result of a call as text for a person: `openat: EACCES`. */
  describe(name: SystemCall, result: number): string;
}

/** Functions that are more than one system call. */
export type LibraryFunction =
  | 'posix_spawn'
  | 'posix_spawn_file_actions_addchdir_np'
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
 * Loads koffi, the only native code there is, on the calling thread.
 * @throws SandboxProblem when it is not installed or this machine's architecture is not known
 */
export async function loadKernel(): Promise<Kernel> {
  const architecture = process.arch;
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new SandboxProblem({
      message: `The sandbox does not know the system calls of ${architecture} processors.`,
      suggestion: 'Use an x86-64 or ARM64 machine, or --no-sandbox if you accept the risk.',
    });
  }
  const koffi = await loadKoffi();
  const loaded = koffi.load(null);
  // An address does not keep what is there from being collected.
  const held: Uint8Array[] = [];
  const address = (memory: Uint8Array): bigint => {
    held.push(memory);
    return koffi.address(memory);
  };
  const words = (values: readonly Argument[]): (number | bigint)[] =>
    values.map((value) => (value instanceof Uint8Array ? address(value) : value));
  const declare = (
    name: string,
    result: string,
    parameters: number,
  ): ((...values: (number | bigint)[]) => number) =>
    loaded.func(
      name,
      result,
      Array.from({ length: parameters }, () => 'intptr_t'),
    );
  // A fixed list instead of `...`: both architectures pass the two the same way.
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
    library: (name, parameters) => {
      const declared = declare(name, 'int', parameters);
      return (...values) => {
        const result = declared(...words(values));
        held.length = 0;
        return result;
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
        message: 'The package koffi, which the sandbox speaks to the kernel with, is not installed.',
        suggestion:
          'Run "npm install koffi" beside deskterity, or install deskterity again without --omit=optional.',
        detail: error instanceof Error ? error.message : String(error),
      },
      { cause: error },
    );
  }
}
