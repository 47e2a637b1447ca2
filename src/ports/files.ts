/** The parts of a file system that commands and sessions need. */
export interface FilesPort {
  /** The file's bytes, or `undefined` when it does not exist. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Writes to a temporary name beside `path`, then renames: readers see the old or the new file, never a half. Creates folders. */
  writeAtomic(path: string, data: Uint8Array | string, options?: { readonly mode?: number }): Promise<void>;
}
