import type { NodeHandle } from '../../model/tree/node.ts';

export type DesktopEventKind =
  | 'state-changed'
  | 'name-changed'
  | 'value-changed'
  | 'text-changed'
  | 'children-changed'
  | 'selection-changed'
  | 'focus-changed'
  /** The caret of a text moved, or what is marked in it changed. */
  | 'caret-moved'
  | 'window-opened'
  | 'window-closed'
  | 'window-changed'
  /** Only for watchers of the clipboard. */
  | 'clipboard-changed'
  /** Only for watchers of the journal. */
  | 'journal-noted'
  /** The last event: the display or its bus ended, or the port was closed. */
  | 'desktop-lost';

export interface DesktopEvent {
  readonly kind: DesktopEventKind;
  /** `app` is empty if only the display knows the window; both are empty if the desktop was lost. */
  readonly node: NodeHandle;
  /** State name, or what was added or removed; the platform's word. */
  readonly detail: string;
  readonly atMs: number;
}

/** Which events to watch; all by default. */
export interface WatchScope {
  /** Only those of one application, without windows that only the display knows. */
  readonly appId?: string | undefined;
  /** Only windows and applications that open, close or become active: few, whereas elements may change all the time. */
  readonly windowsOnly?: boolean | undefined;
}
