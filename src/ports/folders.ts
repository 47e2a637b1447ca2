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
