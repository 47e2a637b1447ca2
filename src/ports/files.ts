/** What stands at the end of a path. */
export interface FileFacts {
  /** With every link followed. */
  readonly path: string;
  /** `lost` is a link to something that is not there. */
  readonly kind: 'file' | 'folder' | 'other' | 'lost';
  readonly bytes: number;
  /** Whether its content may be changed, and files beside it made. */
  readonly isWritable: boolean;
}

export interface WriteOptions {
  /** Permissions of a new file, which the user's mask may narrow; 0o666 when not given. */
  readonly mode?: number;
  /** A file whose permissions, and owner where that is allowed, the written one gets. */
  readonly like?: string;
}

/** The parts of a file system that commands and sessions need. */
export interface FilesPort {
  /** The file's bytes, or `undefined` when it does not exist. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Writes to a temporary name beside `path`, then renames: readers see the old or the new file, never a half. Creates folders. */
  writeAtomic(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /** What is there; `undefined` when nothing is. Links are followed. */
  find(path: string): Promise<FileFacts | undefined>;
}

/** What came of reading a file that anybody may have put there. */
export type BoundedRead =
  | { readonly bytes: Uint8Array; readonly problem?: undefined }
  /** Why it is not read, as a phrase after "it": `is a folder`, `is larger than 1024 bytes`. */
  | { readonly problem: string; readonly bytes?: undefined };

/** Folders whose files are read and watched, though others write them. */
export interface FoldersPort {
  /** Names in a folder, in order; `undefined` where there is no such folder. @throws Error of the file system for one that cannot be read */
  list(folder: string): Promise<readonly string[] | undefined>;
  /** The bytes of a regular file; never waits for a writer and never reads without end. `undefined` where nothing is. */
  readBounded(path: string, mostBytes: number): Promise<BoundedRead | undefined>;
  /**
   * Calls `listener` some time after something in the folder may have changed, more often rather than too seldom; also when the folder comes
   * or goes. Does not keep the process alive.
   * @returns ends the watch
   */
  watch(folder: string, listener: () => void): () => void;
}
