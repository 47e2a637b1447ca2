import { mentionParameter } from '../../../../../model/text/mention.ts';
import { unsupported } from '../../../failures.ts';
import type { X11Wire } from '../wire.ts';
import type { Extensions } from '../x11-library.ts';

/** X core event codes that XTEST can fake. */
const KEY_PRESS = 2;
const KEY_RELEASE = 3;
const BUTTON_PRESS = 4;
const BUTTON_RELEASE = 5;
const MOTION = 6;

/** Means the root window of the pointer's screen. */
const ROOT_OF_POINTER = 0;

interface Request {
  readonly type: number;
  readonly detail?: number;
  readonly afterMs?: number;
  readonly x?: number;
  readonly y?: number;
}

/** One sent event. */
export type SentEvent =
  | { readonly kind: 'key'; readonly keycode: number; readonly isDown: boolean }
  | { readonly kind: 'button'; readonly button: number; readonly isDown: boolean }
  | { readonly kind: 'motion'; readonly x: number; readonly y: number };

/** Input events through XTEST: like events of real devices, they reach the focused window or the one under the pointer. */
export class FakeInput {
  readonly #wire: X11Wire;
  readonly #xtest: Extensions['xtest'];
  readonly #beforeSend: (event: SentEvent) => void;

  private constructor(wire: X11Wire, xtest: Extensions['xtest'], beforeSend: (event: SentEvent) => void) {
    this.#wire = wire;
    this.#xtest = xtest;
    this.#beforeSend = beforeSend;
  }

  /**
   * @param beforeSend may send requests before the event, or throw to prevent it
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the server has no XTEST
   */
  static async open(wire: X11Wire, beforeSend: (event: SentEvent) => void): Promise<FakeInput> {
    const xtest = await wire.extension('xtest');
    if (xtest) return new FakeInput(wire, xtest, beforeSend);
    throw unsupported(
      `The display ${wire.display} does not accept synthetic input.`,
      `Start its X server with the XTEST extension, or act through accessibility: ${mentionParameter('mode', 'background')}.`,
    );
  }

  key(keycode: number, isDown: boolean): void {
    this.#send({ type: isDown ? KEY_PRESS : KEY_RELEASE, detail: keycode }, { kind: 'key', keycode, isDown });
  }

  /**
   * @param button 1 left, 2 middle, 3 right, 4–7 one notch of the wheel up, down, left, right
   * @param afterMs delay by the server before this and all later events
   */
  button(button: number, isDown: boolean, afterMs = 0): void {
    const type = isDown ? BUTTON_PRESS : BUTTON_RELEASE;
    this.#send({ type, detail: button, afterMs }, { kind: 'button', button, isDown });
  }

  /** Moves the pointer to a point on the screen, in pixels. */
  motion(x: number, y: number): void {
    this.#send({ type: MOTION, x, y }, { kind: 'motion', x, y });
  }

  /** Resolves when the server has processed everything sent so far. */
  sync(): Promise<void> {
    return this.#wire.sync();
  }

  #send({ type, detail = 0, afterMs = 0, x = 0, y = 0 }: Request, event: SentEvent): void {
    this.#beforeSend(event);
    this.#wire.send(() => {
      this.#xtest.FakeInput(type, detail, afterMs, ROOT_OF_POINTER, x, y);
    });
  }
}
