import type { AuditFile } from './audit.ts';

/** What the log needs of a folder of files that several processes share. */
export interface AuditFolderPort {
  readonly path: string;
  /** Runs `step` while no other process does; creates the folder. @throws Error of the file system; ELOCKED */
  exclusively<T>(step: (files: AuditFiles) => T): Promise<T>;
  /** Resolves when everything that this process has appended is on the disk. @throws Error of the file system */
  sync(): Promise<void>;
  /** Names and sizes of the files of the log, oldest first, and the text of the head, all of one moment. @throws Error of the file system */
  glance(): Promise<{ readonly files: readonly AuditFile[]; readonly head: string | undefined }>;
  /** Bytes of a file, in parts. @throws Error of the file system */
  read(name: string, range: { readonly from: number; readonly to: number }): AsyncIterable<Uint8Array>;
}

/** The files, for somebody who is alone with them. */
export interface AuditFiles {
  /** Oldest first. */
  list(): readonly AuditFile[];
  /** Size and identity; `undefined` if it does not exist. */
  find(name: string): { readonly bytes: number; readonly id: string } | undefined;
  /** The first bytes: enough for one entry. */
  beginning(name: string): Uint8Array;
  /** The last bytes. */
  tail(name: string, most: number): Uint8Array;
  /** Appends all of it or, if that fails, nothing. Creates the file, readable only by this user. @throws Error of the file system */
  append(name: string, bytes: Uint8Array): void;
  /** Does nothing if it cannot be removed. */
  remove(name: string): void;
  head(): string | undefined;
  /** Replaces the head. */
  writeHead(text: string): void;
}
