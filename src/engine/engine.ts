import type { ChangeSince, HeldReceipt, Receipt, WindowReceipt } from '../model/effects/effect.ts';
import type { Bounds } from '../model/tree/bounds.ts';
import type { Mode } from '../model/effects/mode.ts';
import type { DoctorCheck } from '../model/effects/doctor.ts';
import type { OutputNode } from '../model/tree/node.ts';
import type { State } from '../model/tree/state.ts';
import type { AppSummary, WindowSummary } from '../model/refs/target.ts';
import type {
  CallOptions,
  DesktopCapabilities,
  DesktopEvent,
  DesktopStatus,
  PermissionReport,
  WindowRequest,
} from '../ports/desktop.ts';
import type { DoctorRequest } from './doctor/doctor.ts';
import type { SemanticActKind } from './acting/semantic-acts.ts';
import type { ExpectRequest, MetExpectation } from './waiting/expect.ts';
import type {
  ClipboardContent,
  ClipboardFormats,
  ClipboardKind,
  ClipboardWrite,
} from '../ports/clipboard.ts';
import type { KeyCombination, KeyName } from '../model/text/key-combination.ts';
import type { StopState } from '../ports/input.ts';
import type { DragRequest } from './input/drag.ts';
import type { KeysRequest } from './input/input-parts.ts';
import type { MouseActs } from './input/mouse.ts';
import type { ScrollRequest } from './input/scroll.ts';
import type { SettleLimits } from './evidence/settle.ts';
import type { WatchRequest } from './waiting/watch.ts';

/** Names an application (name, title-cased or not, or pid) and one of its windows (`@w3`, `x11:0x…`, or a part of the title). */
export interface Scope {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
}

export interface SnapshotRequest extends Scope, CallOptions {
  /** Ref of the element whose sub-tree to read, instead of a window. */
  readonly root?: string | undefined;
  readonly maxDepth?: number | undefined;
  readonly includeBounds: boolean;
  readonly includeActions: boolean;
  readonly interactiveOnly: boolean;
  readonly compact: boolean;
  readonly wholeTree: boolean;
  /** Upper bound for the rendered answer in o200k tokens; `form` says which rendering is meant. */
  readonly maxTokens?: number | undefined;
  /** What is printed around the tree, given all the rest of the answer: it counts towards `maxTokens`. */
  readonly frame?: ((rest: Omit<SnapshotResult, 'tree'>) => string) | undefined;
  readonly form: 'outline' | 'json';
}

export interface SnapshotResult {
  readonly app: string;
  readonly window: WindowSummary | undefined;
  readonly refCount: number;
  readonly tree: OutputNode;
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
  /** Elements left out by depth or budget. */
  readonly elided: number;
  readonly cursor: string;
  readonly nodeCount: number;
  readonly callCount: number;
}

export interface ChangesRequest extends SnapshotRequest {
  /** The cursor of an earlier answer, such as `c17`. */
  readonly since: string;
  /** The whole answer as it is printed: what counts towards `maxTokens` where there are changes to tell. */
  readonly print: (rest: Omit<SnapshotResult, 'tree'>, changes: readonly ChangeSince[]) => string;
}

/** Changes, or the whole tree where what was read at the cursor is forgotten. */
export type ChangesResult = Omit<SnapshotResult, 'tree'> &
  (
    | { readonly changes: readonly ChangeSince[]; readonly tree?: undefined }
    | { readonly tree: OutputNode; readonly changes?: undefined }
  );

export const FIND_METHODS = ['exact', 'contains', 'regex', 'role', 'identifier', 'path', 'fuzzy'] as const;
export type FindMethod = (typeof FIND_METHODS)[number];

export interface FindRequest extends Scope, CallOptions {
  readonly query?: string | undefined;
  readonly by: FindMethod | 'auto';
  readonly role?: string | undefined;
  readonly limit: number;
  readonly wholeTree: boolean;
}

/** A found element with the names of what it is in, outermost first. */
export type FoundNode = OutputNode & {
  readonly within: readonly string[];
  readonly score?: number | undefined;
};

export interface FindResult {
  readonly matches: readonly FoundNode[];
  readonly matchedBy: FindMethod | undefined;
  /** Matches there were before `limit`. */
  readonly total: number;
  /** Filled when nothing matched. */
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

/** What can be waited for of an element; a value is compared as `set-value` compares. */
export type ElementCondition = 'visible' | 'focused' | { readonly value: string };

export interface ActRequest extends CallOptions {
  /** A ref or a locator. */
  readonly ref: string;
  /** Where a locator matches nothing, take what is clearly meant. */
  readonly heal?: boolean | undefined;
  /** When the act has come to rest; 80 ms of quiet, at most a second, where absent. */
  readonly settle?: SettleLimits | undefined;
}

/** An act that can be done in more than one way. */
export interface ModedRequest extends ActRequest {
  /** What it may use; every way that there is, best first, where absent. */
  readonly mode?: Mode | undefined;
}

export type PointerGesture = 'double-click' | 'right-click' | 'hover';

/** `withheld`: neither the receipt nor the session's memory repeats the text, nor what the element holds until another one is confirmed. */
export interface SetValueRequest extends ModedRequest {
  readonly value: string;
  readonly withheld?: boolean | undefined;
}

export interface TypeRequest extends ModedRequest {
  readonly text: string;
  /** Time between two characters; 0 for as fast as the application can follow. */
  readonly delayMs: number;
  /** In place of what the field holds. */
  readonly clearFirst: boolean;
  /** See {@link SetValueRequest}. */
  readonly withheld?: boolean | undefined;
}

export interface SelectRequest extends ModedRequest {
  /** The option by its name or its place, counted from 0; absent where `ref` names the option itself. */
  readonly option?: string | { readonly index: number } | undefined;
}

export interface MenuRequest extends Scope, CallOptions {
  /** Names of the menu, of its submenus and of the item. */
  readonly path: readonly string[];
  /** See {@link ActRequest}. */
  readonly settle?: SettleLimits | undefined;
}

export interface ControlWindowRequest extends Scope, CallOptions {
  readonly request: WindowRequest;
  /** See {@link ActRequest}. */
  readonly settle?: SettleLimits | undefined;
}

export interface ScreenshotRequest extends Scope, CallOptions {
  /** Ref of an element to crop to. */
  readonly element?: string | undefined;
  /** A part of the screen, instead of anything else that is named. */
  readonly region?: Bounds | undefined;
  /** Image pixels per screen pixel, at most 1; as many as the screen has where absent. */
  readonly scale?: number | undefined;
  /** Longest side of the picture in pixels. */
  readonly maxSize?: number | undefined;
  readonly annotate: boolean;
  readonly format: 'png' | 'jpg' | 'webp';
  /** JPEG and WebP quality 1–100. */
  readonly quality: number;
  /** Whole screen even when an app is named. */
  readonly screen: boolean;
  /** What one monitor shows, numbered from 0, instead of the whole screen. */
  readonly monitor?: number | undefined;
}

export interface ScreenshotResult {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly origin: { readonly x: number; readonly y: number };
  readonly scale: number;
  /** What was asked for reaches beyond the screen or its window, and that part of it is missing. */
  readonly clipped: boolean;
  readonly labels: readonly {
    readonly ref: string;
    readonly role: string;
    readonly name: string | undefined;
    readonly bounds: Bounds;
  }[];
}

export interface LaunchResult {
  readonly app: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly adjustments: readonly string[];
  readonly window: WindowSummary | undefined;
}

/** What was seen after the clipboard was written or cleared. */
export interface ClipboardReceipt {
  readonly effect: 'confirmed' | 'unverified';
  readonly evidence: readonly string[];
  /** The platform's names for what is offered now. */
  readonly formats: readonly string[];
  readonly bytes: number;
}

/**
 * What commands can do to one desktop in one session. Every method throws DeskterityError.
 * `deadlineMs` bounds the whole call, however many applications it touches.
 */
export interface Engine {
  listApps(request: CallOptions): Promise<readonly AppSummary[]>;
  listWindows(
    request: CallOptions & {
      readonly app?: string | undefined;
      readonly focusedOnly: boolean;
      readonly includeMinimized: boolean;
    },
  ): Promise<readonly WindowSummary[]>;
  snapshot(request: SnapshotRequest): Promise<SnapshotResult>;
  /** What changed in a window since an earlier answer, read in the same breadth as then. */
  changes(request: ChangesRequest): Promise<ChangesResult>;
  find(request: FindRequest): Promise<FindResult>;
  describe(request: CallOptions & { readonly ref: string }): Promise<ElementInfo>;
  title(request: Scope & CallOptions): Promise<string>;
  treeStats(request: Scope & CallOptions): Promise<TreeStats>;
  focused(request: CallOptions & { readonly app?: string | undefined }): Promise<ElementInfo | undefined>;
  screenshot(request: ScreenshotRequest): Promise<ScreenshotResult>;
  launch(
    request: CallOptions & {
      readonly app: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** Variables of whoever asked. */
      readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
      readonly wait: boolean;
    },
  ): Promise<LaunchResult>;
  closeApp(
    request: CallOptions & { readonly app: string; readonly force: boolean },
  ): Promise<{ readonly app: string; readonly pid: number; readonly via: string; readonly closed: boolean }>;
  waitForElement(
    request: CallOptions & { readonly element: string; readonly until?: ElementCondition | undefined },
  ): Promise<OutputNode>;
  /** `ref` names an element or a window. */
  waitUntilGone(request: CallOptions & { readonly ref: string }): Promise<void>;
  waitForText(
    request: Scope & CallOptions & { readonly text: string },
  ): Promise<{ readonly element: OutputNode; readonly window: WindowSummary }>;
  waitForWindow(
    request: CallOptions & { readonly title: string; readonly app?: string | undefined },
  ): Promise<WindowSummary>;
  /** All checks, when they pass. */
  expect(request: ExpectRequest): Promise<MetExpectation>;
  /** Moves, minimizes … one window, the active one where none is named, and tells what came of it. */
  controlWindow(request: ControlWindowRequest): Promise<WindowReceipt>;
  click(request: ModedRequest): Promise<Receipt>;
  gesture(request: ModedRequest & { readonly gesture: PointerGesture }): Promise<Receipt>;
  setValue(request: SetValueRequest): Promise<Receipt>;
  type(request: TypeRequest): Promise<Receipt>;
  /** Does what the element means to do: see {@link SemanticActKind}. */
  act(request: ModedRequest & { readonly act: SemanticActKind }): Promise<Receipt>;
  /** Chooses an option of a combo box, list, table, tree or tab list. */
  select(request: SelectRequest): Promise<Receipt>;
  press(request: KeysRequest & { readonly keys: KeyCombination }): Promise<Receipt>;
  /** Holds a key down, or lets it go. */
  holdKey(request: KeysRequest & { readonly key: KeyName; readonly isDown: boolean }): Promise<HeldReceipt>;
  readonly mouse: MouseActs;
  scroll(request: ScrollRequest): Promise<Receipt>;
  scrollTo(request: ModedRequest): Promise<Receipt>;
  drag(request: DragRequest): Promise<Receipt>;
  /** Releases the keys and buttons that this engine holds down. */
  releaseInput(): Promise<void>;
  /** Whether the display tells of the user's own hands, which acts with keyboard and pointer keep clear of. */
  seesUser(request: CallOptions): Promise<boolean>;
  /** Whether acting on this desktop is stopped. */
  stopState(request: CallOptions): Promise<StopState>;
  /** Ends all acting on this desktop, by whomever, until {@link resumeActing}. */
  stopActing(request: CallOptions): Promise<StopState>;
  resumeActing(request: CallOptions): Promise<StopState>;
  /** Calls `listener` when acting is stopped, by anybody, until the returned function is called. */
  onStop(listener: (state: StopState) => void): () => void;
  /** Runs an item of a menu, opening only those menus that have no items before. */
  menu(request: MenuRequest): Promise<Receipt>;
  clipboardFormats(request: CallOptions): Promise<ClipboardFormats>;
  readClipboard(request: CallOptions & { readonly kind: ClipboardKind }): Promise<ClipboardContent>;
  writeClipboard(request: ClipboardWrite): Promise<ClipboardReceipt>;
  clearClipboard(request: CallOptions): Promise<ClipboardReceipt>;
  /** See {@link watchDesktop}: the deadline is for becoming live. */
  watch(request: WatchRequest, listener: (event: DesktopEvent) => void): Promise<() => void>;
  status(request: CallOptions): Promise<DesktopStatus & { readonly capabilities: DesktopCapabilities }>;
  permissions(request: CallOptions & { readonly request: boolean }): Promise<PermissionReport>;
  /** See {@link examine}. */
  doctor(request: DoctorRequest): Promise<readonly DoctorCheck[]>;
}
