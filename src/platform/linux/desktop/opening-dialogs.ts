import type { ToolkitKind } from '../atspi/tree/toolkit.ts';

/** A window of an application reaches the display within this time, even on a busy machine; later, it never will. */
const SHOWN_WITHIN_MS = 1000;

/** What is known of a window, by the display and by its application. */
interface Joined {
  readonly shown?: unknown;
  readonly topLevel?:
    | {
        readonly application: { readonly bus: string; readonly traits: { readonly kind: ToolkitKind } };
        readonly path: string;
        readonly isDialog: boolean;
      }
    | undefined;
}

/**
 * Dialogs that are open for their application but not yet on the display. Qt tells only the display whether a dialog is modal: until then, an act
 * behind it would bypass it.
 */
export class OpeningDialogs {
  /** When each was first seen without a window of the display. */
  private readonly since = new Map<string, number>();
  private readonly now: () => number;

  constructor(now = (): number => performance.now()) {
    this.now = now;
  }

  /** The ones among all windows that there are. */
  among<Window extends Joined>(windows: readonly Window[]): ReadonlySet<Window> {
    const waiting = windows.flatMap((window) => {
      const { shown, topLevel } = window;
      const isUnknown =
        shown === undefined && topLevel?.application.traits.kind === 'qt' && topLevel.isDialog;
      return isUnknown ? [{ window, key: `${topLevel.application.bus} ${topLevel.path}` }] : [];
    });
    const keys = new Set(waiting.map(({ key }) => key));
    for (const key of this.since.keys()) if (!keys.has(key)) this.since.delete(key);
    const now = this.now();
    const isNew = (key: string): boolean => {
      const since = this.since.get(key) ?? now;
      this.since.set(key, since);
      return now - since < SHOWN_WITHIN_MS;
    };
    return new Set(waiting.filter(({ key }) => isNew(key)).map(({ window }) => window));
  }
}
