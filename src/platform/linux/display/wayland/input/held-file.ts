import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../../../../model/parse-json.ts';
import { MOUSE_BUTTONS, type MouseButton } from '../../../../../ports/input.ts';

const Buttons = z.array(z.enum(MOUSE_BUTTONS)).max(MOUSE_BUTTONS.length);

/**
 * The buttons that are down, in a file beside the socket of the display: compositors release the keys of a program that was killed, but not its buttons. It
 * is written before a button goes down, so it may contain more than is down, never less.
 */
export class HeldFile {
  readonly #path: string;
  #down: readonly MouseButton[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Call before a button goes down, and after it went up. */
  note(button: MouseButton, isDown: boolean): void {
    const others = this.#down.filter((each) => each !== button);
    this.#down = isDown ? [...others, button] : others;
    if (this.#down.length === 0) rmSync(this.#path, { force: true });
    else writeFileSync(this.#path, JSON.stringify(this.#down), { mode: 0o600 });
  }

  /** What a process that is gone left down. Any program may write the file; what is no list of buttons counts as none. */
  takeLeftOver(): readonly MouseButton[] {
    try {
      const left = Buttons.safeParse(parseJson(readFileSync(this.#path, 'utf8')));
      rmSync(this.#path, { force: true });
      return left.data ?? [];
    } catch {
      return [];
    }
  }
}
