/** A server of this process that does not listen yet, such as one of Node's. */
export interface LocalServer {
  listen(options: { readonly path: string; readonly backlog?: number }, onListening: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface ListenRequest {
  readonly path: string;
  readonly server: LocalServer;
  /** Clients that may wait at once to be taken in. */
  readonly backlog?: number;
  /** Writes what a client must find when it can connect. */
  readonly beforeVisible?: (() => Promise<void>) | undefined;
  /** Also takes the place of a process that listens there. */
  readonly takesOver?: boolean;
}

/** A local socket that this process listens on. */
export interface LocalListening {
  /** Whether the path still leads to it: somebody may have removed or replaced the file. */
  isOurs(): Promise<boolean>;
  /** Removes the path if it is still ours; clients that have connected by then are still served. To be called by one process at a time. */
  hide(): Promise<boolean>;
}

/** Sockets that only processes of this machine reach. */
export interface LocalSocketsPort {
  /**
   * Listens for this user alone, in the place of a process that has ended. To be called by one process at a time.
   * @returns `undefined` when somebody listens there already
   * @throws Error of the file system
   */
  listen(request: ListenRequest): Promise<LocalListening | undefined>;
  /** Whether a command that Deskterity confines has connected to a socket of ours, or somebody of whom that is not known. */
  isConfined(client: object): Promise<boolean>;
}
