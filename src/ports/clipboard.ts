import type { CallOptions } from './call-options.ts';

/** Most bytes that are read from or written to a clipboard. */
export const MAX_CLIPBOARD_BYTES = 16 * 1024 * 1024;

export type ClipboardContent =
  | { readonly kind: 'text'; readonly text: string }
  /** A PNG file. */
  | { readonly kind: 'image'; readonly png: Uint8Array };
export type ClipboardKind = ClipboardContent['kind'];

export interface ClipboardFormats {
  /** The platform's names of the offered formats, such as `UTF8_STRING`. Empty if there are none. */
  readonly names: readonly string[];
  readonly text: boolean;
  readonly image: boolean;
}

export type ClipboardChange = 'changed' | 'lost';

export interface ClipboardWrite extends CallOptions {
  readonly content: ClipboardContent;
  /** False if the process ends with the call: then another process must hold the content. */
  readonly outlivesCall: boolean;
}

/** The clipboard of a desktop, which belongs to one program at a time. Its content comes from other programs. */
export interface ClipboardPort {
  /** Whether its content would be lost with this process. */
  readonly isOwned: boolean;
  /**
   * The process that holds its content, as the kernel tells the display: not the one it comes from if a clipboard manager keeps it. `undefined` if there
   * is none, or the display does not tell.
   */
  ownerPid(options: CallOptions): Promise<number | undefined>;
  formats(options: CallOptions): Promise<ClipboardFormats>;
  /** @throws DeskterityError CLIPBOARD_EMPTY if it contains no data of this kind, TIMEOUT if its owner does not answer, ACTION_FAILED if the data is invalid or too large */
  read(kind: ClipboardKind, options: CallOptions): Promise<ClipboardContent>;
  /** Resolves with the platform's names of the offered formats. @throws DeskterityError DAEMON_UNAVAILABLE if no process could hold the content */
  write(request: ClipboardWrite): Promise<readonly string[]>;
  clear(options: CallOptions): Promise<void>;
  /**
   * Calls `listener` whenever a program, including us, writes to the clipboard or it becomes empty, until the returned function is called. The
   * content is not read. After `lost` there are no more calls: the display ended, or the port was closed. Resolves once the watch is active;
   * deadline and signal apply only until then.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if changes are not reported
   */
  watch(listener: (change: ClipboardChange) => void, options: CallOptions): Promise<() => void>;
}
