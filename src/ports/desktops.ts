import type { Environment } from '../model/sessions/caller.ts';
import type { DesktopPort } from './desktop.ts';

export interface ScreenSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface NewDesktop extends Partial<ScreenSize> {
  /** Variables that its programs inherit; those that belong to the surrounding session are left out. */
  readonly inherit: Environment;
  /** How long the start may take. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A desktop of our own. */
export interface OwnDesktop {
  readonly id: string;
  readonly display: string;
  /** Complete, for programs on the desktop and for {@link DesktopsPort.open}. */
  readonly environment: Environment;
  /** Ends every program on the desktop and removes its folder; may be called again. */
  stop(): Promise<void>;
}

export interface OtherDisplay {
  readonly name: string;
  /** What a shell is told to lead a program there: `DISPLAY=:0`. */
  readonly setting: string;
}

/** The desktops of this machine. */
export interface DesktopsPort {
  /** @throws DeskterityError PLATFORM_UNSUPPORTED */
  open(environment: Environment): Promise<DesktopPort>;
  /** Two environments have the same key exactly when they are about the same desktop. */
  keyOf(environment: Environment): Promise<string>;
  /** A desktop that ends with this process or when it is stopped. @throws DeskterityError PLATFORM_UNSUPPORTED, DISPLAY_UNAVAILABLE, TIMEOUT */
  startPrivate(request: NewDesktop): Promise<OwnDesktop>;
  /** Names of the variables that identify the user's desktop, which a client must pass on to a program that uses it. */
  readonly variables: readonly string[];
  /** The display that an environment names, as people call it; `undefined` where it names none. */
  displayIn(environment: Environment): string | undefined;
  /** Displays of this user that are alive although the environment names none; none where it names one. Private desktops do not count. */
  otherDisplays(environment: Environment): Promise<readonly OtherDisplay[]>;
  /**
   * The variables that lead to the desktop of this user that is alive, for an environment that names none or only a part of it. `undefined` where all
   * is named, where there is no such desktop, and where there is more than one to choose from. Never rejects.
   */
  findUserDesktop(environment: Environment): Promise<Environment | undefined>;
}
