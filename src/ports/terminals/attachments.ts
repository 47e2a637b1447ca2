import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { AttachedTerminal } from '../terminals.ts';

/** Which terminal a person wants to attach to; the one of the caller's folder where nothing is said. */
export interface AttachmentRequest {
  readonly projectPath?: string | undefined;
  /** Or the id of a terminal. */
  readonly tag?: string | undefined;
  /** The name under which we opened a window for it; absent where somebody attached by hand. */
  readonly window?: string | undefined;
  /** The process that shows it. */
  readonly pid: number;
}

/** A person at a terminal, attached or about to be. */
export interface TerminalAttachment {
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
  /** The person has gone. May be called again. */
  leave(): void;
}
