import type { CallOptions } from './desktop.ts';

/** One agent's session as `session list` and `status` show it. */
export interface SessionFacts {
  readonly name: string;
  /** `user`: the desktop of whoever calls. `private`: a desktop of its own that ends with it. */
  readonly desktop: 'user' | 'private';
  /** `:N` of the private desktop, or of the desktop that was used last. */
  readonly display?: string | undefined;
  /** Its private desktop has ended without it: nothing can be done in it any more. */
  readonly hasEnded: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; absent for a session that no call has used since the process that owns it has started. */
  readonly lastUsedAt?: string | undefined;
  /** Calls that needed a desktop since the process that owns the session has started. */
  readonly calls: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface NewSession extends CallOptions {
  /** A free name is made up where absent. */
  readonly name?: string | undefined;
  /** Give it a desktop of its own. */
  readonly isPrivate: boolean;
  /** Screen size of the private desktop in pixels. */
  readonly width: number;
  readonly height: number;
  /** The caller's: programs on a private desktop inherit from it. */
  readonly environment: Environment;
}

export interface PictureRequest extends CallOptions {
  /** The caller's: says which desktop is meant where the session has neither one of its own nor used any. */
  readonly environment: Environment;
}

/** A whole screen as PNG. */
export interface SessionPicture {
  readonly bytes: Uint8Array;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly display?: string | undefined;
}

/** The sessions of the process that answers. Names are not case-sensitive; answers have them in lower case. */
export interface SessionsPort {
  /**
   * @throws DeskterityError CONFLICT when the name is taken, DAEMON_UNAVAILABLE for a private desktop in a process that ends with this call,
   * and the failures of starting a desktop
   */
  create(request: NewSession): Promise<SessionFacts>;
  /** Ordered by name. */
  list(): Promise<readonly SessionFacts[]>;
  /** @throws DeskterityError SESSION_NOT_FOUND */
  info(name: string): Promise<SessionFacts>;
  /**
   * Forgets its references and ends its private desktop. @throws DeskterityError SESSION_NOT_FOUND, CONFLICT when its private desktop is
   * another process's
   */
  kill(name: string): Promise<SessionFacts>;
  /** What is on the session's screen now. @throws DeskterityError SESSION_NOT_FOUND, and the failures of looking */
  picture(name: string, request: PictureRequest): Promise<SessionPicture>;
  /**
   * A page on loopback that shows the session's desktop and refreshes itself, for as long as session and process live.
   * @throws DeskterityError SESSION_NOT_FOUND, DAEMON_UNAVAILABLE in a process that ends with this call
   */
  livePage(
    name: string,
    caller: { readonly environment: Environment },
  ): Promise<{ readonly url: string; readonly display?: string | undefined }>;
}
