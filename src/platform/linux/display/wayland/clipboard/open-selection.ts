import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';

/** The clipboard as one connection sees it, which ends with {@link close}. */
export interface OpenSelection {
  /** What its owner offers; `undefined` if nothing is in the clipboard. */
  readonly forms: readonly string[] | undefined;
  onChange(listener: () => void): void;
  /** What its owner sends in one form. @throws DeskterityError TIMEOUT, ACTION_FAILED */
  read(form: string, options: CallOptions): Promise<Buffer>;
  /**
   * Owns the clipboard until another program does, or the connection ends.
   * @param onLost called when another program owns it
   * @returns what gives it up
   */
  own(forms: ReadonlyMap<string, Buffer>, onLost: () => void, options: CallOptions): Promise<() => void>;
  clear(options: CallOptions): Promise<void>;
  /** Calls `listener` once when the connection is lost, immediately if it already is; never because of {@link close}. */
  onLoss(listener: (reason: DeskterityError) => void): void;
  close(): void;
}

/** @param isOwner whether it is to own the clipboard, and not only to look */
export type OpensSelection = (options: CallOptions, isOwner: boolean) => Promise<OpenSelection>;
