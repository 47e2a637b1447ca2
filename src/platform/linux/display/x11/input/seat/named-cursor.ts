import { notRefused, type X11Wire } from '../../wire.ts';
import { createNamedArrow, type NamedArrow, type NameSide } from './named-arrow.ts';
import type { OwnDevices } from './own-devices.ts';

/** After an act, the pointer looks as the windows want it to again. */
const SHOWN_MS = 3000;
const DISPLAY_CURSOR = 1;
const MAX_NESTING = 16;
const NONE = 0;
const BESIDE: NameSide = { isLeft: false, isAbove: false };
/** What the engine appends to the name of a session, to tell its parts apart. */
const PART = / \(\d+\)$/;

/** A name, and its arrows so far. */
interface Look {
  readonly name: string;
  /** By which the server reports them. */
  readonly atom: number;
  readonly arrows: Map<string, NamedArrow | undefined>;
}

type Own = Pick<OwnDevices, 'pointer' | 'requests'>;

/**
 * The name of the session beside our pointer, while it acts and shortly after. What a pointer looks like is an attribute of each window and device: the user's
 * pointer stays as it is. Programs that give each pointer a cursor themselves, as those of GTK do, replace ours; it is then set once more.
 */
export class NamedCursor {
  readonly #wire: X11Wire;
  readonly #own: Own;
  /** The windows in which our pointer has this look. */
  readonly #windows = new Set<number>();
  #look: Look | undefined;
  #wanted: string | undefined;
  #isStale = false;
  #isWorking = false;
  #work: Promise<void> = Promise.resolve();
  #end: NodeJS.Timeout | undefined;

  private constructor(wire: X11Wire, own: Own) {
    this.#wire = wire;
    this.#own = own;
  }

  /** @param wire its core requests concern our devices */
  static async open(wire: X11Wire, own: Own): Promise<NamedCursor> {
    const cursor = new NamedCursor(wire, own);
    const fixes = await wire.extension('fixes');
    if (fixes === undefined) return cursor;
    wire.send(() => {
      fixes.SelectCursorInput(wire.root, DISPLAY_CURSOR);
    });
    wire.onEvent(({ name, cursorName }) => {
      if (name === 'CursorNotify' && cursorName !== cursor.#look?.atom) cursor.#update();
    });
    wire.onLoss(() => clearTimeout(cursor.#end));
    return cursor;
  }

  /** Nobody waits for it: no act depends on it. */
  show(holder: string): void {
    this.#wanted = `Deskterity: ${holder.replace(PART, '')}`;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => void this.hide().catch(() => undefined), SHOWN_MS).unref();
    this.#update();
  }

  async hide(): Promise<void> {
    clearTimeout(this.#end);
    this.#wanted = undefined;
    await this.#work;
    // Another act may have begun.
    if (this.#wanted !== undefined) return;
    const windows = [...this.#windows];
    this.#windows.clear();
    const { requests, pointer } = this.#own;
    await Promise.all(windows.map((window) => notRefused(requests.changeCursor(pointer, window, NONE))));
  }

  #update(): void {
    if (this.#wanted === undefined) return;
    this.#isStale = true;
    if (!this.#isWorking) this.#work = this.#untilFresh();
  }

  async #untilFresh(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#isStale && this.#wanted !== undefined) {
        this.#isStale = false;
        const look = await this.#lookOf(this.#wanted);
        const { window, x, y } = await this.#place();
        const arrow = await this.#arrowAt(look, x, y);
        if (arrow === undefined) return;
        this.#windows.add(window);
        await notRefused(this.#own.requests.changeCursor(this.#own.pointer, window, arrow.cursor));
      }
    } catch {
      // A server that refuses it shows none.
    } finally {
      // Not when the promise settles, which is later: what is wanted in between would be forgotten.
      this.#isWorking = false;
    }
  }

  async #lookOf(name: string): Promise<Look> {
    if (this.#look?.name === name) return this.#look;
    const earlier = this.#look?.arrows.values() ?? [];
    this.#look = { name, atom: await this.#wire.internAtom(name), arrows: new Map() };
    // The windows that have them keep them for as long as they need.
    for (const arrow of earlier)
      if (arrow !== undefined) await this.#wire.tryCall('FreeCursor', arrow.cursor);
    return this.#look;
  }

  /** The name is where the screen has room for it. */
  async #arrowAt(look: Look, x: number, y: number): Promise<NamedArrow | undefined> {
    const beside = await this.#arrow(look, BESIDE);
    const screen = await this.#wire.tryCall('GetGeometry', this.#wire.root);
    if (beside === undefined || screen === undefined) return beside;
    const { reach } = beside;
    return this.#arrow(look, {
      isLeft: x + reach.x > screen.width,
      isAbove: y + reach.y > screen.height,
    });
  }

  async #arrow({ name, arrows }: Look, side: NameSide): Promise<NamedArrow | undefined> {
    const key = JSON.stringify(side);
    if (!arrows.has(key)) arrows.set(key, await createNamedArrow(this.#wire, name, side));
    return arrows.get(key);
  }

  /** Where our pointer is, and the innermost window there, which decides first what it looks like. */
  async #place(): Promise<{ readonly window: number; readonly x: number; readonly y: number }> {
    const { root } = this.#wire;
    const { child, rootX: x, rootY: y } = await this.#wire.call('QueryPointer', root);
    let window = root;
    let next = child;
    for (let depth = 0; depth < MAX_NESTING && next !== NONE; depth++) {
      window = next;
      next = (await this.#wire.tryCall('QueryPointer', window))?.child ?? NONE;
    }
    return { window, x, y };
  }
}
