import type { NodeHandle } from '../model/node.ts';
import { formatRef } from '../model/ref.ts';
import type { Ref } from '../model/ref.ts';
import { RefDocument } from '../model/ref-document.ts';
import type { ElementRecord } from '../model/ref-document.ts';

/** Refs older than this many elements are forgotten; their numbers are still never reused. */
const MAX_ELEMENTS = 4000;
const MAX_WINDOWS = 500;

/** The refs of one session on one desktop (DESIGN §4): numbers only grow, and an element keeps its ref. */
export class RefTable {
  private readonly desktopId: string;
  private nextElement = 1;
  private nextWindow = 1;
  private time = 0;
  private readonly elements = new Map<string, ElementRecord>();
  private readonly elementByHandle = new Map<string, ElementRecord>();
  private readonly windowRefById = new Map<string, string>();

  private constructor(desktopId: string) {
    this.desktopId = desktopId;
  }

  /** Reads a stored document; one that is foreign or of another desktop starts empty, but numbers go on where they were. */
  static from(data: unknown, desktopId: string): RefTable {
    const table = new RefTable(desktopId);
    const parsed = RefDocument.safeParse(data);
    if (!parsed.success) return table;
    const stored = parsed.data;
    table.nextElement = stored.next_element;
    table.nextWindow = stored.next_window;
    table.time = stored.cursor;
    if (stored.desktop_id !== desktopId) return table;
    for (const record of stored.elements) table.remember(record);
    for (const window of stored.windows) table.windowRefById.set(window.id, window.ref);
    return table;
  }

  toDocument(): RefDocument {
    return {
      desktop_id: this.desktopId,
      next_element: this.nextElement,
      next_window: this.nextWindow,
      cursor: this.time,
      elements: [...this.elements.values()].slice(-MAX_ELEMENTS),
      windows: [...this.windowRefById].slice(-MAX_WINDOWS).map(([id, ref]) => ({ id, ref })),
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
    return this.elementByHandle.get(handleKey(handle))?.ref;
  }

  /** The ref of an element: the one it has, or a new number. Its description is brought up to date. */
  giveElement(description: Omit<ElementRecord, 'ref'>): string {
    const known = this.elementByHandle.get(handleKey(description));
    if (known && known.role === description.role) {
      // Re-inserted so that forgetting starts with what was not seen for longest.
      this.elements.delete(known.ref);
      this.remember({ ...description, ref: known.ref });
      return known.ref;
    }
    const ref: Ref = formatRef('e', this.nextElement++);
    this.remember({ ...description, ref });
    return ref;
  }

  /** Lets a ref follow its element to a new native object, after strict re-identification. */
  rebind(ref: string, handle: NodeHandle): void {
    const record = this.elements.get(ref);
    if (!record) return;
    this.elementByHandle.delete(handleKey(record));
    this.remember({ ...record, app: handle.app, path: handle.path });
  }

  giveWindow(id: string): string {
    const known = this.windowRefById.get(id);
    if (known !== undefined) return known;
    const ref = formatRef('w', this.nextWindow++);
    this.windowRefById.set(id, ref);
    return ref;
  }

  windowId(ref: string): string | undefined {
    for (const [id, known] of this.windowRefById) if (known === ref) return id;
    return undefined;
  }

  private remember(record: ElementRecord): void {
    this.elements.set(record.ref, record);
    this.elementByHandle.set(handleKey(record), record);
  }
}

export function handleKey(handle: NodeHandle): string {
  return `${handle.app} ${handle.path}`;
}
