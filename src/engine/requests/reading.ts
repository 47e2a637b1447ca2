import type { PictureConsent } from '../../model/effects/picture-consent.ts';
import type { ChangeSince } from '../../model/effects/effect.ts';
import type { Surface, SurfaceKind } from '../../model/refs/surface.ts';
import type { Explanation } from '../../model/patterns/explanation.ts';
import type { WindowSummary } from '../../model/refs/target.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { OffScreenPlace } from '../../model/tree/offscreen.ts';
import type { OutputNode } from '../../model/tree/node.ts';
import type { State } from '../../model/tree/state.ts';
import type { JournalEntry, JournalKind } from '../../model/journal/entry.ts';
import type { CallOptions } from '../../ports/call-options.ts';

/** Names an application (name, title-cased or not, or pid) and one of its windows (`@w3`, its id, or a part of the title). */
export interface Scope {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
}

/** About one window, by default the active one. */
export interface ScopedRequest extends Scope, CallOptions {}

/** About one application, by default all. */
export interface AppRequest extends CallOptions {
  readonly app?: string | undefined;
}

/** About the element of a ref, or the one that a locator matches. */
export interface RefRequest extends CallOptions {
  readonly ref: string;
}

export interface SurfacesRequest extends AppRequest {
  /** As in {@link SnapshotRequest}. */
  readonly mirrored?: boolean | undefined;
}

export interface SurfacesResult {
  /** By window; the outer before the inner. */
  readonly surfaces: readonly Surface[];
  /** Why a part of the windows could not be read. */
  readonly incompleteReasons: readonly string[];
}

export interface SnapshotRequest extends ScopedRequest {
  /** Ref of the element whose sub-tree to read, instead of a window. */
  readonly root?: string | undefined;
  /** Instead, the open surface of this kind, of the application if that is given. */
  readonly surface?: SurfaceKind | undefined;
  readonly maxDepth?: number | undefined;
  readonly includeBounds: boolean;
  readonly includeActions: boolean;
  readonly interactiveOnly: boolean;
  readonly compact: boolean;
  readonly wholeTree: boolean;
  /** Use what is known from earlier readings, kept up to date by events. */
  readonly mirrored?: boolean | undefined;
  /** Upper bound for the answer in o200k tokens, rendered as `form`. */
  readonly maxTokens?: number | undefined;
  /** The bound is a default: it holds only for the tree of a graphical application, and is never too small. */
  readonly isUsualSize?: boolean | undefined;
  /** Ref of the last element that an earlier answer showed: only what follows it is shown. */
  readonly after?: string | undefined;
  /** Also say what kind of screen this is and what could be done next. */
  readonly explain?: boolean | undefined;
  /** Renders what is printed around the tree, which counts towards `maxTokens` in `form` and towards the longest answer in `printedForm`. */
  readonly frame?: ((rest: Omit<SnapshotResult, 'tree'>, form: 'outline' | 'json') => string) | undefined;
  readonly form: 'outline' | 'json';
  /** The form in which the answer is printed, which then ends at 100 KB; any length if absent. */
  readonly printedForm?: 'outline' | 'json' | undefined;
}

/** Where reading goes on after an answer that would have been too long: below `root`, after its element `after`. */
export interface Continuation {
  readonly root: string;
  readonly after?: string | undefined;
  readonly elided: number;
}

export interface SnapshotResult {
  readonly app: string;
  readonly window: WindowSummary | undefined;
  readonly refCount: number;
  readonly tree: OutputNode;
  readonly explanation?: Explanation | undefined;
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
  /** Elements left out by depth or budget. */
  readonly elided: number;
  /** Filled if the answer would have been too long, innermost container first. */
  readonly continued?: readonly Continuation[] | undefined;
  /** The containers that are scrolled, those with most out of sight first. */
  readonly offscreen?: readonly OffScreenPlace[] | undefined;
  readonly cursor: string;
  readonly nodeCount: number;
  readonly callCount: number;
}

export interface ChangesRequest extends SnapshotRequest {
  /** The cursor of an earlier answer, such as `c17`, or `LAST_LOOK`. */
  readonly since: string;
  /** Renders the whole answer, which counts towards `maxTokens` if changes are reported. */
  readonly print: (
    rest: Omit<SnapshotResult, 'tree'> & { readonly since: string },
    changes: readonly ChangeSince[],
  ) => string;
}

/** Changes, or the whole tree if the reading at the cursor is no longer stored. */
export type ChangesResult = Omit<SnapshotResult, 'tree'> &
  (
    | {
        readonly changes: readonly ChangeSince[];
        /** The cursor that it was compared with. */
        readonly since: string;
        readonly tree?: undefined;
      }
    | { readonly tree: OutputNode; readonly changes?: undefined }
  );

export const FIND_METHODS = [
  'cell',
  'exact',
  'contains',
  'regex',
  'role',
  'identifier',
  'path',
  'fuzzy',
] as const;
export type FindMethod = (typeof FIND_METHODS)[number];

export interface FindRequest extends ScopedRequest {
  readonly query?: string | undefined;
  readonly by: FindMethod | 'auto';
  readonly role?: string | undefined;
  /** Absent for the usual number, or for all cells of a range. */
  readonly limit?: number | undefined;
  /** Ref of the last match that an earlier answer showed: only those after it are shown. */
  readonly after?: string | undefined;
  /** The bytes of a match in the answer. */
  readonly bytesFor?: ((match: FoundNode) => number) | undefined;
  readonly wholeTree: boolean;
  /** As in {@link SnapshotRequest}. */
  readonly mirrored?: boolean | undefined;
}

/** A found element with the names of its containers, outermost first. */
export type FoundNode = OutputNode & {
  readonly within: readonly string[];
  readonly score?: number | undefined;
  /** Of a cell that was found by its name: its formula, if it has one. */
  readonly formula?: string | undefined;
};

export interface FindResult {
  readonly matches: readonly FoundNode[];
  readonly matchedBy: FindMethod | undefined;
  /** The number of matches without `limit`, and of those after `after`. */
  readonly total: number;
  /** Ref of the last match shown, if more would have made the answer too long. */
  readonly cutAfter?: string | undefined;
  /** Filled if nothing matched. */
  readonly nearMisses: readonly FoundNode[];
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
  readonly cursor: string;
}

export interface ElementInfo {
  readonly node: OutputNode;
  readonly text: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly allStates: readonly State[];
  readonly onScreen: boolean;
}

export interface TreeStats {
  readonly app: string;
  readonly window: string | undefined;
  readonly nodes: number;
  readonly interactive: number;
  readonly named: number;
  readonly max_depth: number;
  readonly by_role: Readonly<Record<string, number>>;
  readonly complete: boolean;
  readonly calls: number;
  readonly duration_ms: number;
}

export interface ScreenshotRequest extends ScopedRequest {
  /** Ref of an element to crop to. */
  readonly element?: string | undefined;
  /** A part of the screen; takes precedence over app and window. */
  readonly region?: Bounds | undefined;
  /** Image pixels per screen pixel, at most 1; 1 if absent. */
  readonly scale?: number | undefined;
  /** Longest side of the picture in pixels. */
  readonly maxSize?: number | undefined;
  readonly annotate: boolean;
  readonly format: 'png' | 'jpg' | 'webp';
  /** JPEG and WebP quality 1–100. */
  readonly quality: number;
  /** A picture taken less than this before, with no act since, may be used again; absent for none. */
  readonly debounceMs?: number | undefined;
  /** Whole screen even if an app is given. */
  readonly screen: boolean;
  /** One monitor, numbered from 0, instead of the whole screen. */
  readonly monitor?: number | undefined;
  /** Password fields are shown as they are drawn. Default: they are blanked. */
  readonly showsPasswords?: boolean | undefined;
  /** Default: `auto`. */
  readonly consent?: PictureConsent | undefined;
  /** Fails if a window in it cannot be searched for password fields. */
  readonly refusesUnread?: boolean | undefined;
}

export interface ScreenshotResult {
  /** How many password fields are blanked in it. */
  readonly blanked: number;
  /** Titles of windows in it that could not be searched for password fields. */
  readonly unread: readonly string[];
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly origin: { readonly x: number; readonly y: number };
  readonly scale: number;
  /** The requested area extends beyond the screen or its window, and that part is missing. */
  readonly clipped: boolean;
  readonly labels: readonly {
    readonly ref: string;
    readonly role: string;
    readonly name: string | undefined;
    readonly bounds: Bounds;
  }[];
}

export interface JournalRequest extends CallOptions {
  /** Only what happened after this cursor. Default: everything that is kept. */
  readonly since?: string | undefined;
  /** Name or pid of an application, which may have exited. */
  readonly app?: string | undefined;
  readonly kinds?: readonly JournalKind[] | undefined;
  /** Issues no cursor. */
  readonly isLook?: boolean | undefined;
}

export interface JournalResult {
  readonly entries: readonly JournalEntry[];
  readonly cursor: string;
  readonly since: string | undefined;
  /** When the journal began; ISO 8601. */
  readonly begin: string;
  /** What it lacks, as phrases. */
  readonly notes: readonly string[];
}
