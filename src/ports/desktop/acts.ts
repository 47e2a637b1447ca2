import type { CallOptions } from '../call-options.ts';
import type { Point } from '../input.ts';

export interface ActOutcome {
  /** The application's reply; absent for keyboard and pointer, which have none. Never proof that anything happened. */
  readonly accepted?: boolean | undefined;
  /** Whether the request may have reached the application. */
  readonly delivered: boolean;
  /** How it was done, for the receipt, such as `keyboard:Control+s`. */
  readonly via: string;
  /** When it was sent, by our clock, if checks came first: earlier changes have another cause. */
  readonly sentAtMs?: number;
  /** When the application replied, by our clock, if more was done afterwards that is no part of the act. */
  readonly answeredAtMs?: number | undefined;
  /** When the pointer set out for it: pointing at a menu opens it while another one is open. */
  readonly aimedAtMs?: number;
  /** When the key or button went down, by the clock of `DesktopPort.userTimeMs`: what an application did before processing it has another cause. */
  readonly pressedAtMs?: number | undefined;
  /** It was written without the keyboard focus: an application that takes text on Enter, when the focus leaves, or only from the keyboard, has not taken it yet. */
  readonly isUncommitted?: boolean | undefined;
  /** It replaced the text of a field that still has the focus: an application that takes text on Enter, or when the focus leaves, has not taken it yet. */
  readonly isEntered?: boolean | undefined;
  /** Where the menu opens that was asked for, as far as no popup was there until then: where the right button was clicked, under an item of a menu bar, or beside a button. */
  readonly menuPlaces?: readonly Point[] | undefined;
  /** {@link menuPlaces} are beside a button that was clicked here. Tooltips, too, come up there; only a menu takes the next click. */
  readonly besideButton?: { readonly app: string; readonly at: Point } | undefined;
  /** Ids of windows that were there while a button was still held down, or once keys were released: they have another cause. */
  readonly openBefore?: ReadonlySet<string> | undefined;
  /** Something else came under the pointer before the last press or release: it may have received them. */
  readonly hasStrayed?: boolean | undefined;
  /** The application answers other requests, but not this one yet: its handler waits for something, such as the answer to a modal dialog. */
  readonly isPending?: boolean | undefined;
  /** The application accepted it before it acted: what took the element away meanwhile may have kept it from acting. */
  readonly isQueued?: boolean | undefined;
}

/** The exclusive right to act in one application. */
export interface Turn {
  /** Whether another act had to end first: what was read before may be out of date. */
  readonly waited: boolean;
  /** Lets the next act begin; later calls do nothing. */
  end(): void;
}

/**
 * - `background`: the user must notice nothing, so what takes their next click and key, such as opening a menu, is refused.
 * - `before-pointer`: the pointer can take over what it does better.
 * - `alone`: nothing can take over.
 */
export type ActManner = 'background' | 'before-pointer' | 'alone';

/** A call that acts through accessibility. */
export interface ActCall extends CallOptions {
  /** `alone` if absent. */
  readonly manner?: ActManner | undefined;
}

/** Where typed text goes, in the toolkit's own units. */
export interface Caret {
  readonly offset: number;
  /** The first and the last place of what typed text would replace. */
  readonly selection?: readonly [start: number, end: number] | undefined;
}

/** What can be done to a text besides writing it as a whole. */
export interface TextEditing {
  /** A part of it can be changed, and the rest stays as it is. */
  readonly changesParts: boolean;
  /** Its parts may differ in formatting, which writing it anew would lose. */
  readonly isFormatted: boolean;
}

/** The replacement of one part of a text. */
export interface TextChange {
  /** The whole text that it is made for. */
  readonly text: string;
  /** Characters (Unicode code points) before the part. */
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

/** Acts named by their meaning; the adapter maps them to native actions. */
export type SemanticAct = 'toggle' | 'expand' | 'collapse' | 'focus';

/** What a person does to an element by hand, and an accessibility action may do instead. */
export type HandAct = 'click' | Exclude<SemanticAct, 'focus'>;
