import type { ActCase } from './cases.ts';

/** The window that all ways act on, in turn. */
export interface ActWindow {
  readonly pid: number;
  /** Its id on the X server. */
  readonly xid: number;
  /** Where an element is on the screen, and its reference in our session. */
  readonly placeOf: (one: ActCase) => Promise<Place>;
}

export interface Place {
  readonly ref: string;
  readonly bounds: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

export interface Timed {
  readonly ms: number;
  /** What the tool itself says of the effect. */
  readonly claim: string;
  /** How it was done, if the tool says so. */
  readonly via?: string | undefined;
}

/** One tool that carries out the acts. */
export interface Way {
  readonly name: string;
  /** How long nothing must have happened in the window before its act, in milliseconds. Not timed. */
  readonly quietBeforeMs?: number;
  /** How long nothing may be done in the window after a row of its acts, in milliseconds. Not timed. */
  readonly quietAfterMs?: number;
  /** Finds what it needs to know of an act beforehand, which is not timed. */
  prepare(one: ActCase, window: ActWindow): Promise<void>;
  /** @throws ActRefused if it cannot, or says that it has failed */
  act(one: ActCase, value: string, window: ActWindow): Promise<Timed>;
  /** Closes what an act without effect may have left open, such as a menu. */
  leave?(): Promise<void>;
  close(): Promise<void>;
}

/** A tool refuses an act or reports that it failed. */
export class ActRefused extends Error {
  override readonly name = 'ActRefused';
}
