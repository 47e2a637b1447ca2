import type { Environment } from '../../model/sessions/caller.ts';

export interface SetupRequest {
  /** Of the user whose desktop it is. */
  readonly environment: Environment;
  readonly isUndo: boolean;
  /** Nothing is written. */
  readonly isTrial: boolean;
}

export interface SetupResult {
  /** The one that says what is done. */
  readonly file: string;
  /** Whether anything was changed, or would be on a trial. */
  readonly hasChanged: boolean;
  /** What the file contains afterwards; absent if it is not there. */
  readonly content: string | undefined;
  /** What else is written, removed or set, as sentences. */
  readonly also: readonly string[];
  /** What it allows, and to whom, as sentences. */
  readonly allows: string;
  /** What to do next, as a sentence. */
  readonly next: string;
}

/** What a person does once so that a kind of desktop lets Deskterity act on it; it can be undone. */
export interface DesktopSetup {
  /** @throws DeskterityError CONFLICT if a file of another program is in the way, ACTION_NOT_SUPPORTED, ACTION_FAILED */
  run(request: SetupRequest): Promise<SetupResult>;
}

/** The set-up for a kind of desktop by its name. @throws DeskterityError INVALID_ARGUMENT for one that needs none */
export type FindDesktopSetup = (name: string) => Promise<DesktopSetup>;
