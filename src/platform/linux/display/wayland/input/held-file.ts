import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../../../../model/parse-json.ts';
import { MOUSE_BUTTONS, type MouseButton } from '../../../../../ports/input.ts';

/** More than anybody holds down. */
const MOST = 32;
const Held = z.array(z.union([z.enum(MOUSE_BUTTONS), z.int().min(1).max(255)])).max(MOST);

/** A button, or a key by its code. */
export type HeldItem = MouseButton | number;

/**
 * The buttons and keys that are down, in a file beside the socket of the display: compositors do not release the buttons of a program that was killed, and KWin
 * not even its keys. It is written before anything stays down, so it may contain more than is down, never less.
 */
export class HeldFile {
  readonly #path: string;
  #down: readonly HeldItem[] = [];
  #isWritten = false;
  #isDue = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Call before a button goes down, and after it went up. */
  note(item: HeldItem, isDown: boolean): void {
    this.#change(item, isDown);
    this.#write();
  }

  /** The same for a key, which usually goes up in the same turn of the event loop, before either is sent: then nothing is written. */
  noteKey(code: number, isDown: boolean): void {
    this.#change(code, isDown);
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.#write());
  }

  /** What a process that is gone left down. Any program may write the file; what is no list of buttons and keys counts as none. */
  takeLeftOver(): readonly HeldItem[] {
    try {
      const left = Held.safeParse(parseJson(readFileSync(this.#path, 'utf8')));
      rmSync(this.#path, { force: true });
      return left.data ?? [];
    } catch {
      return [];
    }
  }

  #change(item: HeldItem, isDown: boolean): void {
    const others = this.#down.filter((each) => each !== item);
    this.#down = isDown ? [...others, item].slice(-MOST) : others;
  }

  #write(): void {
    this.#isDue = false;
    if (this.#down.length === 0) {
      if (this.#isWritten) rmSync(this.#path, { force: true });
      this.#isWritten = false;
      return;
    }
    this.#isWritten = true;
    writeFileSync(this.#path, JSON.stringify(this.#down), { mode: 0o600 });
  }
}
