import {
  madeRefDocument,
  readRefDocument,
  type ElementRecord,
  type RefDocument,
} from '../../model/refs/ref-document.ts';
import { formatRef, type Ref } from '../../model/refs/ref.ts';
import { terminalAddress } from '../../model/terminals/terminal-address.ts';
import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { isPushedAlong, isSameElement, type ElementDescription } from '../tree/identity.ts';
import { otherWindowKey, windowKey } from './window-identity.ts';

/** Refs older than this many elements are dropped; their numbers are still never reused. */
const MAX_ELEMENTS = 4000;
const MAX_WINDOWS = 500;
/** Screens change faster than windows: they must not displace the refs of the desktop. */
const MAX_SCREEN_ELEMENTS = 2000;
const MAX_SCREENS = 500;
const MAX_CURSORS = 60;

/** The next numbers. */
export type Counters = Pick<RefDocument, 'next_element' | 'next_window' | 'next_terminal' | 'cursor'>;

const FIRST: Counters = { next_element: 1, next_window: 1, next_terminal: 1, cursor: 0 };

/** The refs in use: those of a desktop, or those of one text screen, which are the same on every desktop. */
export type RefScope = { readonly desktopId: string } | { readonly screenId: string };

/** The refs of one session on one desktop and on text screens: numbers only grow, and an element keeps its ref. */
export class RefTable {
  private readonly desktopId: string;
  /** Absent for the desktop. */
  private readonly screenId: string | undefined;
  private nextElement = 1;
  private nextWindow = 1;
  private nextScreen = 1;
  private time = 0;
  private readonly elements = new Map<string, ElementRecord>();
  /** Newest last. A native object that shows one item after another has had several refs. */
  private readonly elementsByHandle = new Map<string, ElementRecord[]>();
  /** Only elements with a slot; newest last. */
  private readonly elementsBySlot: Records = new Map();
  /** Only elements with a slot that are alone on a side. */
  private readonly elementsByContent: Records = new Map();
  private readonly windowRefByKey = new Map<string, string>();
  private readonly screenRefById = new Map<string, string>();
  private readonly cursorsOfScreen = new Map<string, number[]>();

  private constructor(desktopId: string, screenId: string | undefined) {
    this.desktopId = desktopId;
    this.screenId = screenId;
  }

  /**
   * Reads a stored document. Damaged parts and those of another desktop start empty, but numbers continue, never below `floor`: the numbers that
   * this process issued even if they could not be stored.
   */
  static from(data: unknown, scope: RefScope, floor: Counters = FIRST): RefTable {
    const stored = readRefDocument(data);
    const desktopId = 'desktopId' in scope ? scope.desktopId : stored.desktop_id;
    const table = new RefTable(desktopId, 'desktopId' in scope ? undefined : scope.screenId);
    table.nextElement = Math.max(stored.next_element, floor.next_element);
    table.nextWindow = Math.max(stored.next_window, floor.next_window);
    table.nextScreen = Math.max(stored.next_terminal, floor.next_terminal);
    table.time = Math.max(stored.cursor, floor.cursor);
    const isSameDesktop = stored.desktop_id === desktopId;
    for (const record of stored.elements)
      if (isSameDesktop || record.terminal !== undefined) table.remember(record);
    if (isSameDesktop) for (const { id, ref } of stored.windows) table.windowRefByKey.set(id, ref);
    for (const { id, ref, cursors } of stored.terminals) {
      table.screenRefById.set(id, ref);
      table.cursorsOfScreen.set(id, cursors);
    }
    return table;
  }

  toDocument(): RefDocument {
    const all = [...this.elements.values()];
    return madeRefDocument({
      desktop_id: this.desktopId,
      ...this.counters,
      elements: [
        ...all.filter(({ terminal }) => terminal === undefined).slice(-MAX_ELEMENTS),
        ...all.filter(({ terminal }) => terminal !== undefined).slice(-MAX_SCREEN_ELEMENTS),
      ],
      windows: [...this.windowRefByKey].slice(-MAX_WINDOWS).map(([id, ref]) => ({ id, ref })),
      terminals: [...this.screenRefById].slice(-MAX_SCREENS).map(([id, ref]) => ({
        id,
        ref,
        cursors: this.cursorsOfScreen.get(id) ?? [],
      })),
    });
  }

  /** The next numbers. */
  get counters(): Counters {
    return {
      next_element: this.nextElement,
      next_window: this.nextWindow,
      next_terminal: this.nextScreen,
      cursor: this.time,
    };
  }

  get cursor(): string {
    return `c${this.time}`;
  }

  /** A new point in the session's time. */
  advance(): string {
    this.time++;
    const { screenId: id } = this;
    if (id !== undefined)
      this.cursorsOfScreen.set(id, [...(this.cursorsOfScreen.get(id) ?? []), this.time].slice(-MAX_CURSORS));
    return this.cursor;
  }

  /** The record of an element of this desktop or screen. */
  element(ref: string): ElementRecord | undefined {
    const record = this.elements.get(ref);
    return record?.terminal === this.screenId ? record : undefined;
  }

  /** Id of the screen that a ref names, or that contains its element. */
  screenOf(ref: string): string | undefined {
    if (!ref.startsWith('@t')) return this.elements.get(ref)?.terminal;
    for (const [id, known] of this.screenRefById) if (known === ref) return id;
    return undefined;
  }

  /** Id of the screen that was read at a cursor, if that is still stored. */
  screenAt(cursor: string): string | undefined {
    for (const [id, cursors] of this.cursorsOfScreen)
      if (cursors.some((time) => `c${time}` === cursor)) return id;
    return undefined;
  }

  refOfScreen(id: string): string | undefined {
    return this.screenRefById.get(id);
  }

  /** The ref of a screen: the one it has, or a new number. */
  refForScreen(id: string): string {
    const known = this.refOfScreen(id);
    if (known !== undefined) return known;
    const ref = formatRef('t', this.nextScreen++);
    this.screenRefById.set(id, ref);
    return ref;
  }

  /** Whether `ref` was ever issued, even if its record was dropped since. */
  wasIssued(ref: string): boolean {
    const number = Number(ref.slice(2));
    if (ref.startsWith('@t')) return number < this.nextScreen;
    return ref.startsWith('@w') ? number < this.nextWindow : number < this.nextElement;
  }

  refOf(handle: NodeHandle): string | undefined {
    return this.elementsByHandle.get(handleKey(handle))?.at(-1)?.ref;
  }

  /**
   * The ref of an element: the one it has, or a new number. Updates the description, unless the new one was made from only a part of the window
   * (`isPartial`).
   */
  refForElement(description: ElementDescription, isPartial = false): string {
    const known = this.known(description);
    if (known) {
      this.update(known.ref, isPartial ? known : description);
      return known.ref;
    }
    const ref: Ref = formatRef('e', this.nextElement++);
    this.remember({ ...description, ...this.place(), ref });
    return ref;
  }

  /** The record of an element that has a ref. */
  known(description: ElementDescription): ElementRecord | undefined {
    return (
      this.elementsByHandle
        .get(handleKey(description))
        ?.findLast((record) => isSameElement(record, description)) ??
      this.knownBySlot(description) ??
      this.knownByContent(description)
    );
  }

  /** The record of an element whose toolkit has made a new object for it since. */
  private knownBySlot(description: ElementDescription): ElementRecord | undefined {
    const key = slotKey(description);
    if (key === undefined) return undefined;
    const hasTwin = (record: ElementRecord): boolean => record.has_twin || description.has_twin;
    return this.elementsBySlot.get(key)?.findLast(
      (record) =>
        record.window === description.window &&
        isSameElement(record, description) &&
        // A row that was added or removed above moves twins into each other's place.
        (!hasTwin(record) || record.slot?.count === description.slot?.count),
    );
  }

  /** The record of such an element after rows were added or removed before it; never one of two. */
  private knownByContent(description: ElementDescription): ElementRecord | undefined {
    const key = contentKey(description);
    const records = key === undefined ? [] : (this.elementsByContent.get(key) ?? []);
    const [only, ...others] = records.filter((record) => isPushedAlong(record, description));
    return others.length === 0 ? only : undefined;
  }

  /** Replaces the description of a ref: after an act of ours, or when the element was found as another native object. */
  update(ref: string, description: ElementDescription): void {
    const record = this.elements.get(ref);
    if (!record) return;
    remove(this.elementsByHandle, handleKey(record), record);
    remove(this.elementsBySlot, slotKey(record), record);
    remove(this.elementsByContent, contentKey(record), record);
    // Re-inserted so that the least recently seen elements are dropped first.
    this.elements.delete(ref);
    this.remember({ ...description, ...this.place(), ref });
  }

  /** The ref of a window: the one it has, even from when only display or accessibility knew it, or a new number. */
  refForWindow(window: Pick<DesktopWindow, 'id' | 'otherId' | 'process'>): string {
    if (this.screenId !== undefined) return this.refForScreen(this.screenId);
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

  /** The key of the window of a ref. */
  windowKey(ref: string): string | undefined {
    if (ref.startsWith('@t')) {
      const id = this.screenOf(ref);
      return id === undefined ? undefined : terminalAddress(id);
    }
    for (const [key, known] of this.windowRefByKey) if (known === ref) return key;
    return undefined;
  }

  private place(): { terminal?: string } {
    return this.screenId === undefined ? {} : { terminal: this.screenId };
  }

  private remember(record: ElementRecord): void {
    this.elements.set(record.ref, record);
    add(this.elementsByHandle, handleKey(record), record);
    add(this.elementsBySlot, slotKey(record), record);
    add(this.elementsByContent, contentKey(record), record);
  }
}

type Records = Map<string, ElementRecord[]>;

function add(records: Records, key: string | undefined, record: ElementRecord): void {
  if (key === undefined) return;
  const others = records.get(key);
  if (others) others.push(record);
  else records.set(key, [record]);
}

function remove(records: Records, key: string | undefined, record: ElementRecord): void {
  if (key === undefined) return;
  records.set(
    key,
    (records.get(key) ?? []).filter((other) => other !== record),
  );
}

function slotKey({ app, slot }: ElementDescription): string | undefined {
  return slot && `${app} ${slot.container} ${slot.index}`;
}

function contentKey({ app, role, name, slot, alone }: ElementDescription): string | undefined {
  return slot !== undefined && alone !== undefined ? `${app} ${slot.container} ${role} ${name}` : undefined;
}
