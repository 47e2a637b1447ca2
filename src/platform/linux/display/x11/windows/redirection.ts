import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { coversOf, topLevelOf } from './covers.ts';
import { PaintWatch } from './paint-watch.ts';
import type { PixelReader } from '../capture/pixel-reader.ts';
import type { X11Wire } from '../wire.ts';
import { windowNotFound } from '../x11-errors.ts';
import { STRUCTURE_NOTIFY, type Extensions } from '../x11-library.ts';

const AUTOMATIC = 0;

/**
 * Makes covered windows readable. The server keeps the pixels of a covered window only if its top-level window is
 * redirected to separate memory, which compositors do for all windows and the server for windows of a different depth.
 * Otherwise we redirect it, once per connection: undoing it after every capture would make the application paint twice.
 */
export class Redirection {
  readonly #wire: X11Wire;
  readonly #reader: PixelReader;
  /** Top-level windows that we redirected and that have not been painted since, as far as we know. */
  readonly #unpainted = new Map<number, PaintWatch>();

  constructor(wire: X11Wire, reader: PixelReader) {
    this.#wire = wire;
    this.#reader = reader;
  }

  /**
   * Resolves when `area` of the screen, which is `inWindow` in window coordinates, can be read from the window with its own
   * pixels. Without the Composite extension that is impossible, and covering windows show.
   * @returns whether it shows nothing else, whatever comes to cover it
   * @throws DeskterityError WINDOW_NOT_FOUND; APP_UNRESPONSIVE if the application does not paint
   */
  async ensureIntact(window: number, area: Bounds, inWindow: Bounds): Promise<boolean> {
    const frame = await topLevelOf(this.#wire, window);
    if (frame === undefined) return false;
    if (!this.#unpainted.has(frame)) {
      const covers = await coversOf(this.#wire, frame);
      if (!covers.some((cover) => intersect(cover, area) !== undefined)) return false;
      const [composite, damage] = await Promise.all([
        this.#wire.extension('composite'),
        this.#wire.extension('damage'),
      ]);
      if (composite === undefined) return false;
      if (await this.#isRedirected(composite, frame)) return true;
      const before = await this.#reader.read(this.#wire.root, area);
      // Another call may have been first.
      if (!this.#unpainted.has(frame)) {
        this.#wire.send(() => {
          composite.RedirectWindow(frame, AUTOMATIC);
        });
        const watch = new PaintWatch(this.#wire, damage, window);
        this.#unpainted.set(frame, watch);
        this.#forgetWhenDestroyed(frame, watch);
        await watch.settled();
        const after = await this.#reader.read(window, inWindow);
        if (Buffer.compare(before, after) !== 0) this.#forget(frame, watch);
      }
    }
    await this.#waitForPaint(frame, window);
    return true;
  }

  /**
   * A redirected window starts as a copy of the screen. Until the application paints, it shows what covered it, so an error
   * is better than that image.
   */
  async #waitForPaint(frame: number, window: number): Promise<void> {
    const watch = this.#unpainted.get(frame);
    if (watch === undefined) return;
    await watch.settled();
    const isGone = (await this.#wire.tryCall('GetWindowAttributes', window)) === undefined;
    if (isGone || watch.hasPainted) this.#forget(frame, watch);
    if (isGone) throw windowNotFound(window);
    // Another call may have seen it painted.
    if (this.#unpainted.get(frame) !== watch) return;
    throw new DeskterityError(
      'APP_UNRESPONSIVE',
      `Window 0x${window.toString(16)} is covered and its application does not paint it.`,
      { suggestion: 'Wait until the application responds, or capture the screen instead.', retryable: true },
    );
  }

  /** Window ids are reused: what is known about this window must not apply to the next. */
  #forgetWhenDestroyed(frame: number, watch: PaintWatch): void {
    const stop = this.#wire.onEvent((event) => {
      if (event.name !== 'DestroyNotify' || event.wid !== frame) return;
      stop();
      this.#forget(frame, watch);
    });
    watch.onEnd(stop);
    // Refused if it is already gone, which the next read reports.
    void this.#wire
      .tryCall('ChangeWindowAttributes', frame, { eventMask: STRUCTURE_NOTIFY })
      .catch(() => undefined);
  }

  #forget(frame: number, watch: PaintWatch): void {
    if (this.#unpainted.get(frame) !== watch) return;
    this.#unpainted.delete(frame);
    watch.end();
  }

  /** Only a redirected window has a pixmap that can be named. */
  async #isRedirected(composite: Extensions['composite'], frame: number): Promise<boolean> {
    const pixmap = this.#wire.allocateId();
    this.#wire.send(() => {
      composite.NameWindowPixmap(frame, pixmap);
    });
    const [geometry] = await Promise.all([
      this.#wire.tryCall('GetGeometry', pixmap),
      this.#wire.tryCall('FreePixmap', pixmap),
    ]);
    this.#wire.releaseId(pixmap);
    return geometry !== undefined;
  }
}
