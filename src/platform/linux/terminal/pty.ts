import type { TerminalSize } from '../../../model/terminals/terminal-screen.ts';
import { constants, openSync, statSync } from 'node:fs';
import { O_CLOEXEC, type Kernel } from '../sandbox/libc-library.ts';
import { SandboxProblem } from '../sandbox/problem.ts';

/** Both ends of a pseudo-terminal, open in this process and close-on-exec. */
export interface Pty {
  readonly kernel: Kernel;
  /** Reads programs' output and writes typed input; non-blocking. */
  readonly master: number;
  /** Kept open: without an open slave, reading the master fails before the first program and between programs. */
  readonly slave: number;
  /** Such as `/dev/pts/3`. */
  readonly path: string;
  readonly node: FileIdentity;
}

/** Identifies a file, whatever its path. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** ioctl requests; the same on x86-64 and ARM64. */
const TCGETS = 0x5401;
const TCSETS = 0x5402;
const TIOCGPGRP = 0x540f;
const TIOCSWINSZ = 0x5414;
const TIOCGPTPEER = 0x5441;
const TIOCGPTN = 0x80045430;
const TIOCSPTLCK = 0x40045431;

/** The kernel's `struct termios`: four words of flags, then fields that we leave unchanged. */
const TERMIOS_BYTES = 64;
const INPUT_FLAGS_AT = 0;
const LOCAL_FLAGS_AT = 12;
const IUTF8 = 0o40000;
const ICANON = 0o2;
const ECHO = 0o10;

const MULTIPLEXER = '/dev/ptmx';
const MOST_CELLS = 0xffff;

/** @throws SandboxProblem */
export function openPty(kernel: Kernel, size: TerminalSize): Pty {
  const master = openMaster();
  try {
    const number = new Int32Array(1);
    request(kernel, master, TIOCSPTLCK, new Int32Array([0]));
    request(kernel, master, TIOCGPTN, number);
    // Through the master: the path may belong to another devpts mount.
    const slave = kernel.call(
      'ioctl',
      master,
      TIOCGPTPEER,
      constants.O_RDWR | constants.O_NOCTTY | O_CLOEXEC,
    );
    if (slave < 0) throw failed(kernel.describe('ioctl', slave));
    const path = `/dev/pts/${number[0]}`;
    const pty = { kernel, master, slave, path, node: identityOf(`/proc/self/fd/${slave}`) };
    try {
      if (!isSame(identityOf(path), pty.node)) throw failed(`${path} is another terminal`);
      setUtf8(pty);
      resizePty(pty, size);
      return pty;
    } catch (error) {
      kernel.call('close', slave);
      throw error;
    }
  } catch (error) {
    kernel.call('close', master);
    throw error instanceof SandboxProblem ? error : failed(String(error));
  }
}

export function closePty({ kernel, master, slave }: Pty): void {
  kernel.call('close', slave);
  kernel.call('close', master);
}

export function resizePty({ kernel, master }: Pty, { columns, rows }: TerminalSize): void {
  const cells = (count: number) => Math.max(1, Math.min(MOST_CELLS, Math.trunc(count)));
  request(kernel, master, TIOCSWINSZ, new Uint16Array([cells(rows), cells(columns), 0, 0]));
}

/** The terminal's foreground process group; `undefined` if it has none. */
export function foregroundGroup({ kernel, master }: Pty): number | undefined {
  const group = new Int32Array(1);
  const result = kernel.call('ioctl', master, TIOCGPGRP, group);
  return result === 0 && group[0] !== undefined && group[0] > 0 ? group[0] : undefined;
}

export interface TerminalModes {
  readonly isEchoing: boolean;
  readonly isLineMode: boolean;
}

export function terminalModes(pty: Pty): TerminalModes {
  const flags = settingsOf(pty).getUint32(LOCAL_FLAGS_AT, true);
  return { isEchoing: (flags & ECHO) !== 0, isLineMode: (flags & ICANON) !== 0 };
}

/** @throws Error of the file system */
function identityOf(path: string): FileIdentity {
  const { dev, ino } = statSync(path, { bigint: true });
  return { device: dev, inode: ino };
}

function isSame(one: FileIdentity, other: FileIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}

function openMaster(): number {
  try {
    // Node opens all files with O_CLOEXEC.
    return openSync(MULTIPLEXER, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error));
  }
}

function settingsOf({ kernel, master }: Pty): DataView {
  const settings = new Uint8Array(TERMIOS_BYTES);
  request(kernel, master, TCGETS, settings);
  return new DataView(settings.buffer);
}

/** Makes erasing a character erase all its bytes. */
function setUtf8(pty: Pty): void {
  const settings = settingsOf(pty);
  settings.setUint32(INPUT_FLAGS_AT, settings.getUint32(INPUT_FLAGS_AT, true) | IUTF8, true);
  request(pty.kernel, pty.master, TCSETS, settings);
}

/** @throws SandboxProblem */
function request(kernel: Kernel, descriptor: number, what: number, memory: NodeJS.ArrayBufferView): void {
  const result = kernel.call('ioctl', descriptor, what, memory);
  if (result < 0) throw failed(`${kernel.describe('ioctl', result)} for 0x${what.toString(16)}`);
}

function failed(detail: string): SandboxProblem {
  return new SandboxProblem({
    message: 'A terminal could not be opened.',
    suggestion: 'Too many may be open: close some. In a container, check that /dev/ptmx and /dev/pts exist.',
    detail,
  });
}
