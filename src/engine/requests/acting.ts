import type { PressedBy } from '../../model/destructive/destructive-act.ts';
import type { Receipt } from '../../model/effects/effect.ts';
import type { Mode } from '../../model/effects/mode.ts';
import type { KeyCombination, KeyName } from '../../model/text/key-combination.ts';
import type { ElementFacts } from '../../model/policy/verdict.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { Reversal, Reversible } from '../../model/undo/reversal.ts';
import type { Role } from '../../model/tree/role.ts';
import type { ScrollDirection } from '../../model/tree/scroll.ts';
import type { SemanticAct } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { WindowRequest } from '../../ports/desktop/windows.ts';
import type { MouseButton, Point } from '../../ports/input.ts';
import type { RefRequest, Scope } from './reading.ts';

/** When an act counts as settled; configurable. */
export interface SettleLimits {
  /** The application has sent no event for this long. */
  readonly quietMs: number;
  /** The upper bound: a ticking clock must not delay forever. */
  readonly limitMs: number;
}

/** A call that has an effect. */
export interface EffectRequest extends CallOptions {
  /** By default 80 ms of quiet, at most a second. */
  readonly settle?: SettleLimits | undefined;
  /** A disabled element is waited for only while its application shows that it is doing something. */
  readonly isImpatient?: boolean | undefined;
  /** Called when it is known where on the screen the act takes place. */
  readonly onTarget?: ((place: Bounds | undefined) => void) | undefined;
  /** Called when it is known which application the act is for, with its process. */
  readonly onApplication?: ((application: ActApplication) => void) | undefined;
  /** Called before anything is done, when the target is known and can be acted on. What it throws ends the act: nothing was sent. */
  readonly guard?: ActGuard | undefined;
  /** Called when an act has settled: with what is needed to undo it, or why it cannot be undone. */
  readonly onReversal?: OnReversal | undefined;
}

/** An application that is acted on. */
export interface ActApplication {
  /** As it says itself. */
  readonly name: string;
  readonly pid: number;
}

/** What is about to be done to what. */
export interface GuardedAct {
  readonly act: string;
  readonly target: Receipt['target'];
  readonly role: Role;
  readonly name: string;
  readonly description?: string | undefined;
  /** For keys: how they reach it. */
  readonly pressedBy?: PressedBy | undefined;
  /** Of an item of a menu: the role of what contains it. */
  readonly container?: Role | undefined;
  /** Equal for the same object of the same process only. */
  readonly identity: string;
  /** Where it is, in words, and in which application. */
  place(): Promise<{ readonly words: string; readonly application?: ActApplication | undefined }>;
  /** What it looks like, as PNG, without what password fields show; `undefined` if there is no such picture. Has a deadline of its own. */
  picture(): Promise<Uint8Array | undefined>;
  /** All that it reaches, each followed by what contains it: who acts on a text in a button acts on the button. */
  elements(): Promise<readonly ElementFacts[]>;
}

export type ActGuard = (about: GuardedAct) => Promise<void>;

/** An act that reports how to undo it; see {@link EffectRequest}. */
export type Undoable = Pick<EffectRequest, 'onReversal'>;

export type OnReversal = (found: Reversible) => void;

/** An act on an element. */
export interface ActRequest extends EffectRequest, RefRequest {
  /** If a locator matches nothing, use the clearly best candidate. */
  readonly heal?: boolean | undefined;
}

/** An act that can be done in more than one way. */
export interface ModedRequest extends ActRequest {
  /** The strategies it may use; all of them, best first, if absent. */
  readonly mode?: Mode | undefined;
}

export type PointerGesture = 'double-click' | 'triple-click' | 'right-click' | 'hover';

export interface GestureRequest extends ModedRequest {
  readonly gesture: PointerGesture;
}

/** Acts that say what the element should do or be, not how. */
export type SemanticActKind = SemanticAct | 'clear';

export interface SemanticActRequest extends ModedRequest {
  readonly act: SemanticActKind;
  /** Toggling: the state to bring it into, instead of the other one. */
  readonly to?: Switched | undefined;
}

/** What a check box, switch or radio button can be brought into. */
export type Switched = 'on' | 'off';

/** `withheld`: receipt and session storage contain neither the text nor what the element holds, until another text is confirmed. */
export interface SetValueRequest extends ModedRequest {
  readonly value: string;
  readonly withheld?: boolean | undefined;
}

export interface TypeRequest extends Omit<ModedRequest, 'ref'> {
  /** The element; what has the keyboard focus if absent. */
  readonly ref?: string | undefined;
  readonly text: string;
  /** Time between two characters; 0 means as fast as the application can follow. */
  readonly delayMs: number;
  /** Whether to replace the content of the field. */
  readonly clearFirst: boolean;
  /** See {@link SetValueRequest}. */
  readonly withheld?: boolean | undefined;
}

export interface SelectRequest extends ModedRequest {
  /** The option by its name or its position, counted from 0; absent if `ref` names the option itself. */
  readonly option?: string | { readonly index: number } | undefined;
  /** Keeps what is selected besides; otherwise the option replaces it. */
  readonly adds?: boolean | undefined;
}

export interface MenuRequest extends EffectRequest, Scope {
  /** Names of the menu, of its submenus and of the item. */
  readonly path: readonly string[];
}

export interface ControlWindowRequest extends EffectRequest, Scope {
  readonly request: WindowRequest;
}

/** Where keys go: an element, a window, or whatever has the keyboard focus now. */
export interface KeysRequest extends EffectRequest, Scope {
  readonly ref?: string | undefined;
}

export interface PressRequest extends KeysRequest {
  readonly keys: KeyCombination;
}

export interface HoldKeyRequest extends KeysRequest {
  readonly key: KeyName;
  readonly isDown: boolean;
}

export interface MouseMoveRequest extends EffectRequest {
  readonly point: Point;
  /** Whether the point is an offset from the pointer. */
  readonly isRelative: boolean;
}

export interface MouseClickRequest extends EffectRequest {
  readonly point: Point;
  readonly button: MouseButton;
  readonly count: number;
}

export interface MouseHoldRequest extends EffectRequest {
  readonly button: MouseButton;
  readonly isDown: boolean;
}

export interface MouseWheelRequest extends EffectRequest {
  /** Down and right are positive. */
  readonly notches: Point;
}

export interface ScrollRequest extends EffectRequest, Scope {
  readonly direction: ScrollDirection;
  /** Element to scroll in; the window if absent. */
  readonly ref?: string | undefined;
  /** Pixels, or most of the visible part. */
  readonly amount: number | 'page';
}

/** An element, or a point of the screen. */
export type Place = { readonly ref: string } | { readonly point: Point };

export interface DragRequest extends EffectRequest {
  readonly from: Place;
  readonly to: Place;
  readonly durationMs: number;
}

/** What was observed after the clipboard was written or cleared. */
export interface ClipboardReceipt {
  readonly effect: 'confirmed' | 'unverified';
  readonly evidence: readonly string[];
  /** The platform's names of the formats on the clipboard now. */
  readonly formats: readonly string[];
  readonly bytes: number;
}

export interface ReverseRequest extends EffectRequest {
  readonly reversal: Reversal;
  /** See {@link ClipboardWrite}. */
  readonly outlivesCall: boolean;
}

/** The state before an act is there again, as read afresh. */
export interface Reversed {
  readonly effect: 'confirmed' | 'unverified';
  readonly evidence: readonly string[];
  /** It was before anything was sent: somebody or the application has brought it back. */
  readonly isAlready?: boolean;
}
