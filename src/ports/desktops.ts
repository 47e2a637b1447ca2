import type { Environment } from '../model/sessions/caller.ts';
import type { HomeFiles } from '../model/sessions/session-summary.ts';
import type { DesktopPort } from './desktop/desktop.ts';

export interface ScreenSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface NewDesktop extends Partial<ScreenSize> {
  /** What shows its windows, by the platform's name; the usual one if absent. */
  readonly display?: string | undefined;
  /** A folder that is its HOME and stays, created if it does not exist; a new one that is removed with the desktop if absent. */
  readonly home?: string | undefined;
  /** The session that it belongs to. */
  readonly session?: string | undefined;
  /** Variables that its programs inherit; those of the surrounding session are left out. */
  readonly inherit: Environment;
  /** How long the start may take. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The HOME of a private desktop. */
export interface OwnHome {
  readonly path: string;
  /** It stays when the desktop ends. */
  readonly isKept: boolean;
  /** The files in it that are not settings or caches; never rejects. */
  files(): Promise<HomeFiles>;
}

/** A private desktop that we started. */
export interface OwnDesktop {
  readonly id: string;
  readonly display: string;
  readonly home?: OwnHome | undefined;
  /** Complete, for programs on the desktop and for {@link DesktopsPort.open}. */
  readonly environment: Environment;
  /** Ends every program on the desktop and removes its folder; may be called again. */
  stop(): Promise<void>;
}

export interface OtherDisplay {
  readonly name: string;
  /** The shell assignment that makes programs use it: `DISPLAY=:0`. */
  readonly setting: string;
}

/** The desktops of this machine. */
export interface DesktopsPort {
  /** @throws DeskterityError PLATFORM_UNSUPPORTED */
  open(environment: Environment): Promise<DesktopPort>;
  /** Two environments have the same key exactly if they lead to the same desktop. */
  keyOf(environment: Environment): Promise<string>;
  /** Starts a desktop that ends with this process or when it is stopped. @throws DeskterityError PLATFORM_UNSUPPORTED, DISPLAY_UNAVAILABLE, TIMEOUT, CONFLICT if another one has its HOME, INVALID_ARGUMENT for an unknown kind of display */
  startPrivate(request: NewDesktop): Promise<OwnDesktop>;
  /**
   * Ends the private desktops of this user whose process was killed together with whatever should have ended them. Resolves when they have ended; never
   * rejects.
   */
  endLeftovers(): Promise<void>;
  /** Names of the variables that identify the user's desktop, which a client must pass on to a program that uses it. */
  readonly variables: readonly string[];
  /** The display that an environment names, for people; `undefined` if it names none. */
  displayIn(environment: Environment): string | undefined;
  /** This user's running displays if the environment names none; otherwise empty. Private desktops do not count. */
  otherDisplays(environment: Environment): Promise<readonly OtherDisplay[]>;
  /**
   * The variables that lead to this user's running desktop, for an environment that names none or only a part of it. `undefined` if everything is
   * named, or if there is no such desktop or more than one. Never rejects.
   */
  findUserDesktop(environment: Environment): Promise<Environment | undefined>;
}
