/** What is at a path. */
export interface FileFacts {
  /** With all links resolved. */
  readonly path: string;
  /** `lost` is a link whose target does not exist. */
  readonly kind: 'file' | 'folder' | 'other' | 'lost';
  readonly bytes: number;
  /** Whether its content may be changed, and files created beside it. */
  readonly isWritable: boolean;
}

export interface WriteOptions {
  /** Permissions of a new file, which the umask may narrow; default 0o666. */
  readonly mode?: number;
  /** A file whose permissions and, if allowed, owner are copied. */
  readonly like?: string;
}

/** The parts of a file system that commands and sessions need. */
export interface FilesPort {
  /** The file's bytes, or `undefined` if it does not exist. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Writes to a temporary name beside the file, then renames: readers see the old or the new file, never a partial one. Creates folders. A link
   * to a regular file stays; the file is replaced.
   * @throws DeskterityError INVALID_ARGUMENT before anything is written, if there is something that is not a regular file
   */
  writeAtomic(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /** What is there; `undefined` if nothing is. Follows links. */
  find(path: string): Promise<FileFacts | undefined>;
}

/** The result of reading a file from an untrusted source. */
export type BoundedRead =
  | { readonly bytes: Uint8Array; readonly problem?: undefined }
  /** Why it is not read, as a phrase after "it": `is a folder`, `is larger than 1024 bytes`. */
  | { readonly problem: string; readonly bytes?: undefined };

/** A file or folder that may be relied on as the user's own, or why it may not, as a phrase after "it". */
export type OwnPlace =
  | { readonly path: string; readonly kind: 'file' | 'folder'; readonly problem?: undefined }
  | { readonly problem: string };

/** Folders whose files other processes write. */
export interface FoldersPort {
  /** What is at a path, with links resolved, if it belongs to this user and not everyone may change it. `undefined` if nothing is there. Never rejects. */
  own(path: string): Promise<OwnPlace | undefined>;
  /** Sorted names in a folder; `undefined` if it does not exist. @throws Error of the file system if it cannot be read */
  list(folder: string): Promise<readonly string[] | undefined>;
  /** The bytes of a regular file; never waits for a writer and never reads without limit. `undefined` if it does not exist. */
  readBounded(path: string, mostBytes: number): Promise<BoundedRead | undefined>;
  /**
   * Calls `listener` some time after something in the folder may have changed, rather too often than too rarely; also when the folder is created
   * or removed. Does not keep the process alive.
   * @returns ends the watch
   */
  watch(folder: string, listener: () => void): () => void;
}
