import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Descriptors } from './descriptors.ts';

/** Programs with more open files than this are not looked through. */
const MOST_FILES = 4096;

/**
 * How many bytes of events applications have not read yet. Compositors disconnect an application to which they cannot send any more, which ends it.
 * Source: sock_diag(7) and `linux/unix_diag.h`.
 */
export class UnreadEvents {
  readonly #descriptors: Descriptors;
  readonly #display: string;
  /** The socket of the application that was asked for last. */
  #last: { readonly pid: number; readonly inode: number } | undefined;

  /** @param display as in WAYLAND_DISPLAY */
  constructor(descriptors: Descriptors, display: string) {
    this.#descriptors = descriptors;
    this.#display = path.basename(display);
  }

  /** `undefined` where nothing tells: for processes of other users, in other network namespaces, or that use X11. */
  of(pid: number): number | undefined {
    try {
      const socket = this.#last?.pid === pid ? this.#descriptors.unixSocket(this.#last.inode) : undefined;
      if (socket !== undefined) return socket.unreadBytes;
      const inode = this.#find(pid);
      if (inode === undefined) return undefined;
      this.#last = { pid, inode };
      return this.#descriptors.unixSocket(inode)?.unreadBytes;
    } catch {
      return undefined;
    }
  }

  /** The compositor's end of a connection has the name of the socket on which it listens. */
  #find(pid: number): number | undefined {
    const folder = `/proc/${pid}/fd`;
    const files = readdirSync(folder);
    if (files.length > MOST_FILES) return undefined;
    return files
      .flatMap((file) => inodeOf(path.join(folder, file)) ?? [])
      .find((inode) => {
        const peer = this.#descriptors.unixSocket(inode)?.peer;
        const name = peer === undefined ? undefined : this.#descriptors.unixSocket(peer)?.name;
        return name !== undefined && path.basename(name) === this.#display;
      });
  }
}

function inodeOf(file: string): number | undefined {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(file)) ?? [];
    return inode === undefined ? undefined : Number(inode);
  } catch {
    // It was closed meanwhile.
    return undefined;
  }
}
