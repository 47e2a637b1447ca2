/** A server of this process that does not listen yet, such as one of Node's. */
export interface LocalServer {
  listen(options: { readonly path: string; readonly backlog?: number }, onListening: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface ListenRequest {
  readonly path: string;
  readonly server: LocalServer;
  /** Most clients that may wait for acceptance. */
  readonly backlog?: number;
  /** Writes what a client needs before it can connect. */
  readonly beforeVisible?: (() => Promise<void>) | undefined;
  /** Also replaces a process that listens there. */
  readonly takesOver?: boolean;
}

/** A local socket that this process listens on. */
export interface LocalListening {
  /** Whether the path still leads to it: the file may have been removed or replaced. */
  isOurs(): Promise<boolean>;
  /** Removes the path if it is still ours; connected clients are still served. Only one process at a time may call it. */
  hide(): Promise<boolean>;
}

/** Sockets that only processes of this machine reach. */
export interface LocalSocketsPort {
  /**
   * Listens for this user only, replacing a process that has ended. Only one process at a time may call it.
   * @returns `undefined` if another process listens there
   * @throws Error of the file system
   */
  listen(request: ListenRequest): Promise<LocalListening | undefined>;
  /** Whether a client of our socket is a command that Deskterity confines, or may be one. */
  isConfined(client: object): Promise<boolean>;
  /** The process behind a client of our socket, as the kernel tells; `undefined` if it does not. Never rejects. */
  peerPid(client: object): Promise<number | undefined>;
}
