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
