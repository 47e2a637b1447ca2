import type { Environment } from '../model/sessions/caller.ts';
import type { Connection } from '../model/sessions/connection.ts';
import type { DeletedHome, HomeFiles, SessionSummary } from '../model/sessions/session-summary.ts';
import type { CallOptions } from './call-options.ts';
import type { StopState } from './input.ts';

export interface NewSession extends CallOptions {
  /** A free name is generated if absent. */
  readonly name?: string | undefined;
  /** Whether to start a private desktop for it. */
  readonly isPrivate: boolean;
  /** What shows the windows of the private desktop, by the platform's name; the usual one if absent. */
  readonly display?: string | undefined;
  /** Screen size of the private desktop in pixels. */
  readonly width: number;
  readonly height: number;
  /** Absolute path of a folder that is HOME on the private desktop and is kept; one that is deleted with it if absent. */
  readonly home?: string | undefined;
  /** The caller's: programs on a private desktop inherit from it. */
  readonly environment: Environment;
}

export interface PictureRequest extends CallOptions {
  /** The caller's: selects the desktop if the session has no private one and has used none. */
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

export interface SessionInfo extends SessionSummary {
  /** Files in the HOME of its private desktop that are deleted with it. */
  readonly home_files?: HomeFiles | undefined;
  /** Acts since it began. */
  readonly actions: number;
  /** Acts that are known to undo. */
  readonly undo_depth: number;
  /** Changes that clients watch for. */
  readonly subscriptions: number;
  /** The applications it is connected to. */
  readonly connections?: Connection[] | undefined;
}

export interface KilledSession extends SessionSummary {
  /** What was deleted with its private desktop. */
  readonly deleted?: DeletedHome | undefined;
}

export interface LivePageRequest {
  readonly environment: Environment;
  /** Whether its address is for a person, who may take over. */
  readonly mayControl: boolean;
}

/** A desktop that a person has taken over. */
export interface TakeOver {
  readonly name: string;
  /** The page with its screen, for pointer and keyboard. */
  readonly url: string;
  readonly since?: string | undefined;
}

/** The sessions of the process that answers. Names are not case-sensitive; answers have them in lower case. */
export interface SessionsPort {
  /**
   * @throws DeskterityError CONFLICT if the name is taken, DAEMON_UNAVAILABLE for a private desktop in a process that ends with this call,
   * and errors of starting a desktop
   */
  create(request: NewSession): Promise<SessionSummary>;
  /** Ordered by name. */
  list(): Promise<readonly SessionSummary[]>;
  /** With what is in the HOME that ends with its private desktop. @throws DeskterityError SESSION_NOT_FOUND */
  info(name: string): Promise<SessionInfo>;
  /** The HOME of its private desktop, if it uses one. @throws DeskterityError SESSION_NOT_FOUND */
  homeOf(name: string): Promise<string | undefined>;
  /**
   * Deletes its references and ends its private desktop. @throws DeskterityError SESSION_NOT_FOUND, CONFLICT if its private desktop belongs to
   * another process
   */
  kill(name: string): Promise<KilledSession>;
  /** A picture of the session's screen. @throws DeskterityError SESSION_NOT_FOUND, and errors of the capture */
  picture(name: string, request: PictureRequest): Promise<SessionPicture>;
  /**
   * A page on loopback that shows the session's desktop live, as long as session and process exist.
   * @throws DeskterityError SESSION_NOT_FOUND, DAEMON_UNAVAILABLE in a process that ends with this call
   */
  livePage(
    name: string,
    request: LivePageRequest,
  ): Promise<{ readonly url: string; readonly display?: string | undefined }>;
  /**
   * Gives the session's private desktop to a person until {@link handBack}. @throws DeskterityError as {@link livePage}; POLICY_DENIED for the user's
   * own desktop, and while acting is stopped
   */
  takeOver(name: string, environment: Environment): Promise<TakeOver>;
  /** @throws DeskterityError SESSION_NOT_FOUND */
  handBack(name: string, environment: Environment): Promise<StopState>;
}
