import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { AttachedTerminal } from '../terminals.ts';

/** The terminal a person wants to attach to; by default that of the caller's folder. */
export interface AttachmentRequest {
  readonly projectPath?: string | undefined;
  /** Or the id of a terminal. */
  readonly tag?: string | undefined;
  /** The name under which we opened a window for it; absent if a person attached manually. */
  readonly window?: string | undefined;
  /** The process that shows it. */
  readonly pid: number;
}

/** A person at a terminal, attached or about to be. */
export interface TerminalAttachment {
  /** Of the terminal, for people. */
  readonly name: string;
  /** The shell command that attaches again. */
  readonly command: string;
  /** Of the terminal when it was found. */
  readonly size: TerminalSize;
  /**
   * Like that of `TerminalsPort`; in a window of ours, without sequences that change its title.
   * @throws DeskterityError TERMINAL_NOT_FOUND
   */
  attach(options: {
    readonly size: TerminalSize;
    readonly onBytes: (bytes: Uint8Array) => Promise<void> | undefined;
    readonly signal: AbortSignal;
  }): Promise<AttachedTerminal>;
  /** Ends the attachment. May be called again. */
  leave(): void;
}
