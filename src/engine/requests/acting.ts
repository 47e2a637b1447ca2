import type { Mode } from '../../model/effects/mode.ts';
import type { KeyCombination, KeyName } from '../../model/text/key-combination.ts';
import type { ScrollDirection } from '../../model/tree/scroll.ts';
import type { CallOptions, SemanticAct, WindowRequest } from '../../ports/desktop.ts';
import type { MouseButton, Point } from '../../ports/input.ts';
import type { RefRequest, Scope } from './reading.ts';

/** When an act has come to rest; the user may configure it. */
export interface SettleLimits {
  /** The application has been silent this long. */
  readonly quietMs: number;
  /** A clock that ticks for ever must not keep anybody waiting. */
  readonly limitMs: number;
}

/** A call that has an effect. */
export interface EffectRequest extends CallOptions {
  /** 80 ms of quiet, at most a second, where absent. */
  readonly settle?: SettleLimits | undefined;
}

/** An act on an element. */
export interface ActRequest extends EffectRequest, RefRequest {
  /** Where a locator matches nothing, take what is clearly meant. */
  readonly heal?: boolean | undefined;
}

/** An act that can be done in more than one way. */
export interface ModedRequest extends ActRequest {
  /** What it may use; every way that there is, best first, where absent. */
  readonly mode?: Mode | undefined;
}

export type PointerGesture = 'double-click' | 'right-click' | 'hover';

export interface GestureRequest extends ModedRequest {
  readonly gesture: PointerGesture;
}

/** Acts that name what the element is to be or do, not how. */
export type SemanticActKind = SemanticAct | 'clear';

export interface SemanticActRequest extends ModedRequest {
  readonly act: SemanticActKind;
}

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

export interface MenuRequest extends EffectRequest, Scope {
  /** Names of the menu, of its submenus and of the item. */
  readonly path: readonly string[];
}

export interface ControlWindowRequest extends EffectRequest, Scope {
  readonly request: WindowRequest;
}

/** Where keys go: an element, a window, or whatever has the keyboard now. */
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
  /** The point is a distance from where the pointer is. */
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
  /** Element to scroll in; the window where absent. */
  readonly ref?: string | undefined;
  /** Pixels, or most of what is in view. */
  readonly amount: number | 'page';
}

/** A place: an element, or pixels of the screen. */
export type Place = { readonly ref: string } | { readonly point: Point };

export interface DragRequest extends EffectRequest {
  readonly from: Place;
  readonly to: Place;
  readonly durationMs: number;
}

/** What was seen after the clipboard was written or cleared. */
export interface ClipboardReceipt {
  readonly effect: 'confirmed' | 'unverified';
  readonly evidence: readonly string[];
  /** The platform's names for what is offered now. */
  readonly formats: readonly string[];
  readonly bytes: number;
}
