import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What starts when this process has ended without warning, as arguments of Node: the bundle of `release-held.ts`. */
export interface GuardProgram {
  readonly file: string;
  readonly display: string;
  readonly xauthority: string | undefined;
}

/** A process that releases what this one holds if this one ends without warning. */
export interface ReleaseGuard {
  /** Ends it. If nothing is held (`isClean`) it does nothing more, otherwise it releases what the record says. */
  end(how: { readonly isClean: boolean }): void;
}

/** In `ps`. */
const TAG = 'deskterity-input-guard';

/** Ends on `done`; at the end of input, which the kernel delivers however the other process ends, it becomes the program. */
const SCRIPT = `trap '' TERM INT HUP QUIT PIPE; read -r word; test "$word" = done || exec "$@"`;

/**
 * Starts a process that outlives this one and then releases what it held. It is a shell until it is needed: that costs a few milliseconds
 * and 0.1 MB.
 */
export function startGuard({ file, display, xauthority }: GuardProgram): ReleaseGuard {
  const child = spawn('/bin/sh', ['-c', SCRIPT, TAG, process.execPath, file, display], {
    cwd: '/',
    // Ctrl-C in this process's terminal does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Without the marker of a private desktop that this process may belong to.
    env: {
      ...(xauthority === undefined ? {} : { XAUTHORITY: xauthority }),
      HOME: process.env['HOME'] ?? '/',
    },
  });
  // Without it, the next command releases what is held.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return { end: ({ isClean }) => void child.stdin.end(isClean ? 'done\n' : '') };
}

/** The built program, which is in this file's folder or one above; `undefined` if this runs from source. */
export function guardFile(): string | undefined {
  return ['.', '..']
    .map((folder) => join(import.meta.dirname, folder, 'release-held.js'))
    .find((file) => existsSync(file));
}
