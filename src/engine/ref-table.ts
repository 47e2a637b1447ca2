import { handleKey } from '../model/node.ts';
import type { NodeHandle } from '../model/node.ts';
import { formatRef } from '../model/ref.ts';
import type { Ref } from '../model/ref.ts';
import { readRefDocument } from '../model/ref-document.ts';
import type { ElementRecord, RefDocument } from '../model/ref-document.ts';
import type { DesktopWindow } from '../ports/desktop.ts';
import { isSameElement } from './identity.ts';
import type { ElementDescription } from './identity.ts';
import { otherWindowKey, windowKey } from './window-identity.ts';

/** Refs older than this many elements are forgotten; their numbers are still never reused. */
const MAX_ELEMENTS = 4000;
const MAX_WINDOWS = 500;

/** The numbers that come next. */
export type Counters = Pick<RefDocument, 'next_element' | 'next_window' | 'cursor'>;

const FIRST: Counters = { next_element: 1, next_window: 1, cursor: 0 };

/** The refs of one session on one desktop (DESIGN §4): numbers only grow, and an element keeps its ref. */
export class RefTable {
  private readonly desktopId: string;
  private nextElement = 1;
  private nextWindow = 1;
  private time = 0;
  private readonly elements = new Map<string, ElementRecord>();
  /** Newest last. A native object that shows one item after another has had several refs. */
  private readonly elementsByHandle = new Map<string, ElementRecord[]>();
  private readonly windowRefByKey = new Map<string, string>();

  private constructor(desktopId: string) {
    this.desktopId = desktopId;
  }

  /**
   * Reads a stored document; one that is damaged or of another desktop starts empty as far as it must, but numbers go on where they were,
   * and never below `floor`: what this process gave out, though it could not be stored.
   */
  static from(data: unknown, desktopId: string, floor: Counters = FIRST): RefTable {
    const table = new RefTable(desktopId);
    const stored = readRefDocument(data);
    table.nextElement = Math.max(stored.next_element, floor.next_element);
    table.nextWindow = Math.max(stored.next_window, floor.next_window);
    table.time = Math.max(stored.cursor, floor.cursor);
    if (stored.desktop_id !== desktopId) return table;
    for (const record of stored.elements) table.remember(record);
    for (const window of stored.windows) table.windowRefByKey.set(window.id, window.ref);
    return table;
  }

  toDocument(): RefDocument {
    return {
      desktop_id: this.desktopId,
      next_element: this.nextElement,
      next_window: this.nextWindow,
      cursor: this.time,
      elements: [...this.elements.values()].slice(-MAX_ELEMENTS),
      windows: [...this.windowRefByKey].slice(-MAX_WINDOWS).map(([id, ref]) => ({ id, ref })),
    };
  }

  get cursor(): string {
    return `c${this.time}`;
  }

  /** A new point in the session's time. */
  advance(): string {
    this.time++;
    return this.cursor;
  }

  element(ref: string): ElementRecord | undefined {
    return this.elements.get(ref);
  }

  /** Whether `ref` was given out at some time, though it may be forgotten since. */
  wasGiven(ref: string): boolean {
    const number = Number(ref.slice(2));
    return ref.startsWith('@w') ? number < this.nextWindow : number < this.nextElement;
  }

  refOf(handle: NodeHandle): string | undefined {
    return this.elementsByHandle.get(handleKey(handle))?.at(-1)?.ref;
  }

  /**
   * The ref of an element: the one it has, or a new number. Its description is brought up to date, unless this one was made from a part of its
   * window (`isPartial`) and knows less.
   */
  giveElement(description: ElementDescription, isPartial = false): string {
    const known = this.known(description);
    if (known) {
      this.update(known.ref, isPartial ? known : description);
      return known.ref;
    }
    const ref: Ref = formatRef('e', this.nextElement++);
    this.remember({ ...description, ref });
    return ref;
  }

  /** The record of an element that has a ref. */
  known(description: ElementDescription): ElementRecord | undefined {
    return this.elementsByHandle
      .get(handleKey(description))
      ?.findLast((record) => isSameElement(record, description));
  }

  /** Describes an element anew under the ref it has: after an act of ours, or at the native object it was found again in. */
  update(ref: string, description: ElementDescription): void {
    const record = this.elements.get(ref);
    if (!record) return;
    const key = handleKey(record);
    this.elementsByHandle.set(
      key,
      (this.elementsByHandle.get(key) ?? []).filter((other) => other !== record),
    );
    // Re-inserted so that forgetting starts with what was not seen for longest.
    this.elements.delete(ref);
    this.remember({ ...description, ref });
  }

  /** The ref of a window: the one it has, also from when only one side of the desktop knew it, or a new number. */
  giveWindow(window: Pick<DesktopWindow, 'id' | 'otherId' | 'process'>): string {
    const key = windowKey(window);
    const known = this.windowRefByKey.get(key);
    if (known !== undefined) return known;
    const formerKey = otherWindowKey(window);
    const former = formerKey === undefined ? undefined : this.windowRefByKey.get(formerKey);
    const ref = former ?? formatRef('w', this.nextWindow++);
    if (former !== undefined && formerKey !== undefined) this.windowRefByKey.delete(formerKey);
    this.windowRefByKey.set(key, ref);
    return ref;
  }

  /** What the window of a ref is remembered by. */
  windowKey(ref: string): string | undefined {
    for (const [key, known] of this.windowRefByKey) if (known === ref) return key;
    return undefined;
  }

  private remember(record: ElementRecord): void {
    this.elements.set(record.ref, record);
    const key = handleKey(record);
    const others = this.elementsByHandle.get(key);
    if (others) others.push(record);
    else this.elementsByHandle.set(key, [record]);
  }
}
