import type { CallOptions } from './desktop.ts';

/** One agent's session as `session list` and `status` show it. */
export interface SessionFacts {
  readonly name: string;
  /** `user`: the desktop of whoever calls. `private`: a desktop of its own that ends with it. */
  readonly desktop: 'user' | 'private';
  /** `:N` of the private desktop, or of the desktop that was used last. */
  readonly display?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; absent for a session that no call has used. */
  readonly lastUsedAt?: string | undefined;
  /** Calls answered since the process that owns the session has started. */
  readonly calls: number;
}

export interface NewSession extends CallOptions {
  /** A free name is made up where absent. */
  readonly name?: string | undefined;
  /** Give it a desktop of its own. */
  readonly isPrivate: boolean;
  /** Screen size of the private desktop in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The sessions of the process that answers. */
export interface SessionsPort {
  /**
   * @throws DeskterityError CONFLICT when the name is taken, DAEMON_UNAVAILABLE for a private desktop in a process that ends with this call,
   * and the failures of starting a desktop
   */
  create(request: NewSession): Promise<SessionFacts>;
  list(): Promise<readonly SessionFacts[]>;
  /** @throws DeskterityError SESSION_NOT_FOUND */
  info(name: string): Promise<SessionFacts>;
  /** Forgets its references and ends its private desktop. @throws DeskterityError SESSION_NOT_FOUND */
  kill(name: string): Promise<SessionFacts>;
  /**
   * A page on loopback that shows the session's desktop and refreshes itself, for as long as the process lives.
   * @throws DeskterityError SESSION_NOT_FOUND, DAEMON_UNAVAILABLE in a process that ends with this call
   */
  livePage(name: string): Promise<{ readonly url: string }>;
}
