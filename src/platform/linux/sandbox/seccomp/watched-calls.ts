import { constants } from 'node:fs';
import { AT_FDCWD, O_PATH, O_TMPFILE_BIT } from '../libc-library.ts';
import { systemCalls, type SystemCall } from './system-calls.ts';

/** A path argument: the descriptor it is relative to, and the address of its text. */
export interface PathArgument {
  /** Absent: the working directory. */
  readonly descriptor?: number | undefined;
  readonly address: bigint;
  /** Whether to follow a link at its end. */
  readonly follow: boolean;
}

/** The file access that a call requests. */
export type FileAccess =
  | {
      readonly kind: 'open';
      readonly path: PathArgument;
      readonly writes: boolean;
      readonly creates: boolean;
      readonly exclusive: boolean;
    }
  | { readonly kind: 'make-unnamed'; readonly path: PathArgument }
  | { readonly kind: 'execute' | 'truncate' | 'make' | 'remove'; readonly path: PathArgument }
  | { readonly kind: 'rename' | 'link'; readonly path: PathArgument; readonly to: PathArgument };

const AT_EMPTY_PATH = 0x1000;
const AT_SYMLINK_FOLLOW = 0x400;
const AT_SYMLINK_NOFOLLOW = 0x100;

/** The arguments of a call, as the filter sees them. */
interface CallArguments {
  /** As a signed 32-bit number. */
  readonly word: (index: number) => number;
  /** A path in the argument at `index`. */
  readonly at: (index: number, follow: boolean) => PathArgument;
  /** A path in the argument after `index`, relative to the descriptor in that one. */
  readonly below: (index: number, follow: boolean) => PathArgument;
}

/** By call, the file access that it requests; `undefined` if it does not depend on a path. */
const FILE_ACCESS: Readonly<Partial<Record<SystemCall, (values: CallArguments) => FileAccess | undefined>>> =
  {
    creat: ({ at }) =>
      opening((follow) => at(0, follow), constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC),
    execve: ({ at }) => ({ kind: 'execute', path: at(0, true) }),
    execveat: ({ below, word }) =>
      (word(4) & AT_EMPTY_PATH) === 0
        ? { kind: 'execute', path: below(0, (word(4) & AT_SYMLINK_NOFOLLOW) === 0) }
        : undefined,
    link: ({ at }) => ({ kind: 'link', path: at(0, false), to: at(1, false) }),
    linkat: ({ below, word }) =>
      (word(4) & AT_EMPTY_PATH) === 0
        ? { kind: 'link', path: below(0, (word(4) & AT_SYMLINK_FOLLOW) !== 0), to: below(2, false) }
        : undefined,
    mkdir: ({ at }) => ({ kind: 'make', path: at(0, false) }),
    mkdirat: ({ below }) => ({ kind: 'make', path: below(0, false) }),
    mknod: ({ at }) => ({ kind: 'make', path: at(0, false) }),
    mknodat: ({ below }) => ({ kind: 'make', path: below(0, false) }),
    open: ({ at, word }) => opening((follow) => at(0, follow), word(1)),
    openat: ({ below, word }) => opening((follow) => below(0, follow), word(2)),
    rename: ({ at }) => ({ kind: 'rename', path: at(0, false), to: at(1, false) }),
    renameat: ({ below }) => ({ kind: 'rename', path: below(0, false), to: below(2, false) }),
    renameat2: ({ below }) => ({ kind: 'rename', path: below(0, false), to: below(2, false) }),
    rmdir: ({ at }) => ({ kind: 'remove', path: at(0, false) }),
    symlink: ({ at }) => ({ kind: 'make', path: at(1, false) }),
    symlinkat: ({ below }) => ({ kind: 'make', path: below(1, false) }),
    truncate: ({ at }) => ({ kind: 'truncate', path: at(0, true) }),
    unlink: ({ at }) => ({ kind: 'remove', path: at(0, false) }),
    unlinkat: ({ below }) => ({ kind: 'remove', path: below(0, false) }),
  };

/** Calls that a listener inspects to report denied accesses. */
export const WATCHED_CALLS = systemCalls(Object.keys(FILE_ACCESS));

/** The file access of a watched call; `undefined` if it does not depend on a path. */
export function fileAccessOf(call: SystemCall, values: readonly bigint[]): FileAccess | undefined {
  const word = (index: number) => Number(BigInt.asIntN(32, values[index] ?? 0n));
  const at = (index: number, follow: boolean): PathArgument => ({ address: values[index] ?? 0n, follow });
  const below = (index: number, follow: boolean): PathArgument => ({
    ...(word(index) === AT_FDCWD ? {} : { descriptor: word(index) }),
    ...at(index + 1, follow),
  });
  return FILE_ACCESS[call]?.({ word, at, below });
}

function opening(path: (follow: boolean) => PathArgument, flags: number): FileAccess | undefined {
  // Such a descriptor allows no access that the rules restrict.
  if ((flags & O_PATH) !== 0) return undefined;
  if ((flags & O_TMPFILE_BIT) !== 0) return { kind: 'make-unnamed', path: path(true) };
  const creates = (flags & constants.O_CREAT) !== 0;
  const exclusive = creates && (flags & constants.O_EXCL) !== 0;
  return {
    kind: 'open',
    path: path((flags & constants.O_NOFOLLOW) === 0 && !exclusive),
    writes: (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_TRUNC)) !== 0,
    creates,
    exclusive,
  };
}
