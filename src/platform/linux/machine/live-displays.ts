import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { namesIn, readText } from '../../node/quiet-files.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import { baseFolders, FOLDER_NAME } from '../private-desktop/folder.ts';

/** A live server accepts connections at once, even when it is busy. */
const ACCEPT_MS = 300;
/** More sockets than this are not a real setup; probing all of them would only cost time. */
const MAX_SOCKETS = 100;

export interface LiveDisplayOptions {
  /** Folder of the X servers' sockets; default `/tmp/.X11-unix`. */
  readonly x11Folder?: string | undefined;
  /** Parents of the private desktops' folders; default the temporary folders. */
  readonly desktopFolders?: readonly string[] | undefined;
}

/**
 * Live displays of this user: `:N` for X servers, then `wayland-N` for compositors. Displays of private desktops are left out, as they
 * belong to a session.
 */
export async function liveDisplays(
  environment: Environment,
  options: LiveDisplayOptions = {},
): Promise<string[]> {
  const x11Folder = options.x11Folder ?? '/tmp/.X11-unix';
  const ours = privateDisplays(options.desktopFolders);
  const x11 = ownSockets(x11Folder, /^X\d{1,5}$/)
    .map((name) => ({ file: path.join(x11Folder, name), display: `:${name.slice(1)}` }))
    .filter(({ display }) => !ours.has(display));
  const runtime = environment['XDG_RUNTIME_DIR'] || `/run/user/${process.getuid?.() ?? 0}`;
  const wayland = path.isAbsolute(runtime)
    ? ownSockets(runtime, /^wayland-\d{1,5}$/).map((name) => ({
        file: path.join(runtime, name),
        display: name,
      }))
    : [];
  const alive = await Promise.all([...x11, ...wayland].map(async ({ file }) => acceptsConnections(file)));
  return [...x11, ...wayland].filter((_, index) => alive[index]).map(({ display }) => display);
}

/** Names of this user's sockets in a folder, sorted by number. */
function ownSockets(folder: string, pattern: RegExp): string[] {
  return namesIn(folder)
    .filter((name) => pattern.test(name) && isOwnSocket(path.join(folder, name)))
    .toSorted((a, b) => Number(/\d+$/.exec(a)?.[0]) - Number(/\d+$/.exec(b)?.[0]))
    .slice(0, MAX_SOCKETS);
}

function isOwnSocket(file: string): boolean {
  try {
    const stat = lstatSync(file);
    return stat.isSocket() && stat.uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** Whether a process is listening on a socket. */
export function acceptsConnections(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path: file });
    const finish = (isAlive: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isAlive);
    };
    // On a busy machine it may have answered meanwhile; a turn later that is known.
    const timer = setTimeout(() => setImmediate(() => finish(false)), ACCEPT_MS);
    socket.once('connect', () => finish(true));
    socket.on('error', () => finish(false));
  });
}

/** Displays (`:N`) of private desktops, from the notes of their supervisors. */
export function privateDisplays(folders: readonly string[] = baseFolders()): ReadonlySet<string> {
  const found = new Set<string>();
  for (const base of folders) {
    for (const name of namesIn(base).filter((candidate) => FOLDER_NAME.test(candidate))) {
      for (const [, number] of notesIn(path.join(base, name)).matchAll(/^display (\d+)$/gm))
        found.add(`:${number}`);
    }
  }
  return found;
}

/** Notes of other users are ignored: they could hide a display. */
function notesIn(folder: string): string {
  try {
    if (lstatSync(folder).uid !== process.getuid?.()) return '';
    return readText(path.join(folder, 'notes')) ?? '';
  } catch {
    return '';
  }
}
