import type { Bounds } from '../../model/tree/bounds.ts';
import type { NodeHandle } from '../../model/tree/node.ts';
import type { CallOptions } from '../call-options.ts';

export interface DesktopApp {
  /** Same value as {@link NodeHandle.app} for its elements; empty if the application has no accessibility tree. */
  readonly id: string;
  readonly name: string;
  readonly pid: number;
  /** Identifies the process permanently: pids are reused. */
  readonly process?: string | undefined;
  /** The file name of its program, as it may have been launched by, such as `sqlitebrowser`; perhaps shortened. */
  readonly program?: string | undefined;
  readonly toolkit?: string | undefined;
  readonly toolkitVersion?: string | undefined;
  readonly accessible: boolean;
  /** Why there is no tree (or only a part), and what to do about it. */
  readonly reason?: string | undefined;
  /** False if it did not answer within the deadline. */
  readonly responsive: boolean;
  /** The policy denies it: it can be neither read nor changed. */
  readonly isDenied?: boolean | undefined;
}

export interface DesktopWindow {
  /** Opaque: only the platform creates and interprets it. */
  readonly id: string;
  /**
   * Its id while only display or accessibility knows it: a window enters the accessibility tree before the display shows it, and may leave it
   * later. Never shown, but accepted.
   */
  readonly otherId?: string | undefined;
  /** Only the accessibility tree knows it: the display can neither capture nor locate it. */
  readonly isTreeOnly?: boolean | undefined;
  /** A dialog that is just opening, so that it is not known yet whether it is modal. */
  readonly isOpening?: boolean | undefined;
  /** Identifies the process permanently: pids, like window ids, are reused. */
  readonly process?: string | undefined;
  readonly title: string;
  readonly appId: string;
  readonly appName: string;
  readonly pid: number;
  /** The process that really has the window, as the kernel tells the display: a window may name another one. Absent if the display does not tell. */
  readonly clientPid?: number | undefined;
  /** What else the window calls its application. */
  readonly otherNames?: readonly string[] | undefined;
  /** Client area without the window manager's frame. */
  readonly bounds?: Bounds | undefined;
  readonly focused: boolean;
  /** Whether the display server sends keys to it or to a part of it; absent if unknown. */
  readonly hasInput?: boolean | undefined;
  readonly minimized: boolean;
  /** Nothing of it is on the screen: it is minimized, on a workspace that is not shown, or behind a tab; absent if unknown. */
  readonly isHidden?: boolean | undefined;
  /** In both directions. */
  readonly maximized?: boolean | undefined;
  readonly fullscreen?: boolean | undefined;
  /** Blocks other windows of its application until it is closed: its parent, or all. */
  readonly modal?: boolean | undefined;
  /** The {@link id} of its parent window, which need not be listed. */
  readonly transientFor?: string | undefined;
  /** Position in the stack, 0 lowest; absent if the platform has no stacking order. */
  readonly stacking?: number | undefined;
  readonly accessible: boolean;
  readonly reason?: string | undefined;
  /** The policy denies its application: its title is not told, and it can be neither read nor changed. */
  readonly isDenied?: boolean | undefined;
  /** Of a window without a tree: false if its toolkit has none, so that waiting for one is pointless; absent if unknown. */
  readonly mayGetTree?: boolean | undefined;
  /** False if there is no tree because the application does not answer. */
  readonly responsive?: boolean | undefined;
  /** Root of the window's tree; absent if `accessible` is false. */
  readonly root?: NodeHandle | undefined;
}

/** What a program placed on the screen without the window manager: a menu, a list, a tooltip. */
export interface DesktopPopup {
  readonly pid?: number | undefined;
  /** As {@link DesktopWindow.clientPid}. */
  readonly clientPid?: number | undefined;
  readonly isTooltip: boolean;
  /** The {@link DesktopWindow.id} of the window it names as its parent. */
  readonly transientFor?: string | undefined;
  readonly bounds: Bounds;
}

export interface LaunchRequest extends CallOptions {
  /** Program name, desktop-file id (`org.kde.kcalc`), display name (`KCalc`) or path. */
  readonly app: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /**
   * Variables of the caller, used for the program and its lookup instead of the desktop's; display and buses stay those of the desktop.
   * Ignored on a private desktop, which has a complete environment.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface LaunchedApp {
  readonly pid: number;
  /** Whether a process is the started one or a descendant: `soffice` is a script whose windows belong to its grandchild. */
  owns(pid: number): boolean;
  /** Whether a process runs the same program: a running instance may open what a second start hands over to it. */
  isRunningAs(pid: number): boolean;
  /** The program and arguments that were run. */
  readonly command: readonly string[];
  /** What was added so that the application can be read, such as `--force-renderer-accessibility`. */
  readonly adjustments: readonly string[];
  /** Resolves with exit code or signal name when the process ends. */
  readonly exited: Promise<string>;
}

/** A request to a window. Positions and sizes are those of {@link DesktopWindow.bounds}, in screen pixels. */
export type WindowRequest =
  | { readonly kind: 'focus' | 'minimize' | 'maximize' | 'restore' }
  | { readonly kind: 'close' }
  | { readonly kind: 'move'; readonly x: number; readonly y: number }
  | { readonly kind: 'resize'; readonly width: number; readonly height: number };
