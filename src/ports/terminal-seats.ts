import type { TerminalSize } from '../model/terminals/terminal-screen.ts';
import type { AttachedTerminal } from './terminals.ts';

/** Which terminal somebody wants to sit before; the one of the caller's folder where nothing is said. */
export interface SeatWish {
  readonly projectPath?: string | undefined;
  /** Or the id of a terminal. */
  readonly tag?: string | undefined;
  /** The name under which a window was opened for them; absent for one who came by themselves. */
  readonly window?: string | undefined;
  /** The process that shows it. */
  readonly pid: number;
}

/** A place before a terminal. */
export interface TerminalSeat {
  /** Of the terminal, for people. */
  readonly name: string;
  /** What leads here again, as it can be pasted into a shell. */
  readonly command: string;
  /**
   * As that of `TerminalsPort`; in a window of ours without what would change its title.
   * @throws DeskterityError TERMINAL_NOT_FOUND
   */
  attach(options: {
    readonly size: TerminalSize;
    readonly onBytes: (bytes: Uint8Array) => Promise<void> | undefined;
    readonly signal: AbortSignal;
  }): Promise<AttachedTerminal>;
  /** Whoever sat here has gone. May be called again. */
  leave(): void;
}
