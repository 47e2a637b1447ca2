import type { CallOptions } from './call-options.ts';

/** Most that is read from or put on a clipboard, in bytes. */
export const MAX_CLIPBOARD_BYTES = 16 * 1024 * 1024;

export type ClipboardContent =
  | { readonly kind: 'text'; readonly text: string }
  /** A PNG file. */
  | { readonly kind: 'image'; readonly png: Uint8Array };
export type ClipboardKind = ClipboardContent['kind'];

export interface ClipboardFormats {
  /** The platform's names for what is offered, such as `UTF8_STRING`; the owner's words. Empty when nothing is. */
  readonly names: readonly string[];
  readonly text: boolean;
  readonly image: boolean;
}

export type ClipboardChange = 'changed' | 'lost';

export interface ClipboardWrite extends CallOptions {
  readonly content: ClipboardContent;
  /** False where the process ends with the call: then somebody else must keep it. */
  readonly outlivesCall: boolean;
}

/** The clipboard of a desktop, which belongs to one program at a time. All texts read from it are another program's. */
export interface ClipboardPort {
  /** Whether what is on it would be gone with this process. */
  readonly isOwned: boolean;
  formats(options: CallOptions): Promise<ClipboardFormats>;
  /** @throws DeskterityError CLIPBOARD_EMPTY when nothing of this kind is there, TIMEOUT when its owner gives nothing, ACTION_FAILED when it gives nonsense or too much */
  read(kind: ClipboardKind, options: CallOptions): Promise<ClipboardContent>;
  /** Resolves with the platform's names for what is offered now. @throws DeskterityError DAEMON_UNAVAILABLE when nobody could keep it */
  write(request: ClipboardWrite): Promise<readonly string[]>;
  clear(options: CallOptions): Promise<void>;
  /**
   * Calls `listener` whenever a program (we are one) puts something there or it becomes empty, until the returned function is called. What is
   * there is neither read nor told. After `lost` nothing more is heard: the display ended, or the port was closed. Resolves when that is live;
   * deadline and signal are for that only.
   * @throws DeskterityError ACTION_NOT_SUPPORTED where nobody tells of changes
   */
  watch(listener: (change: ClipboardChange) => void, options: CallOptions): Promise<() => void>;
}
