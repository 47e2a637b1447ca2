import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import { PixelReader, isRefused } from './pixel-reader.ts';
import { coversOf, topLevelOf } from '../windows/covers.ts';
import { readOwnerPid } from '../windows/owner-pid.ts';
import { Redirection } from '../windows/redirection.ts';
import type { X11Wire } from '../wire.ts';
import { VIEWABLE } from '../x11-library.ts';
import { windowIdOf, windowOf } from '../windows/window-id.ts';
import { listPopups } from '../windows/window-list.ts';
import { readBounds, readScreen } from '../windows/window.ts';
import { asDeskterityError, windowNotFound } from '../x11-errors.ts';

/** Captures the screen and windows. */
export class Capture {
  readonly #wire: X11Wire;
  readonly #reader: PixelReader;
  readonly #redirection: Redirection;

  constructor(wire: X11Wire) {
    this.#wire = wire;
    this.#reader = new PixelReader(wire);
    this.#redirection = new Redirection(wire, this.#reader);
  }

  /** Captures a target; a window with its open popups. @throws DeskterityError as the methods below */
  async take(target: CaptureTarget): Promise<CapturedImage> {
    if (target.kind === 'region') return this.#region(target.bounds);
    if (target.kind === 'window') {
      const id = windowOf(target.windowId);
      return target.asShown === true ? this.#asShown(id) : this.#withPopups(id);
    }
    if (target.monitor !== undefined) return this.#monitor(target.monitor);
    return this.#ofRoot(await readScreen(this.#wire));
  }

  /** One monitor, numbered from 0. @throws DeskterityError INVALID_ARGUMENT if there is no such monitor */
  async #monitor(index: number): Promise<CapturedImage> {
    const [screen, monitors] = await Promise.all([readScreen(this.#wire), this.#monitors()]);
    // Without monitor information, the screen counts as the only monitor.
    const bounds = (monitors.length === 0 ? [screen] : monitors)[index];
    const visible = bounds && intersect(bounds, screen);
    if (visible !== undefined) return this.#ofRoot(visible);
    const count = Math.max(1, monitors.length);
    throw new DeskterityError('INVALID_ARGUMENT', `There is no monitor ${index}.`, {
      suggestion:
        count === 1 ? 'The only monitor is 0.' : `There are ${count}; choose one from 0 to ${count - 1}.`,
    });
  }

  /**
   * The part of `area` that is on the screen.
   * @throws DeskterityError INVALID_ARGUMENT if there is none
   */
  async #region(area: Bounds): Promise<CapturedImage> {
    const screen = await readScreen(this.#wire);
    const visible = intersect(area, screen);
    if (visible === undefined) {
      throw new DeskterityError('INVALID_ARGUMENT', 'The region is outside the screen.', {
        suggestion: `Choose a region inside the screen, which is ${screen.width}x${screen.height} pixels.`,
      });
    }
    return this.#ofRoot(visible);
  }

  /**
   * The part of a window's client area that is on the screen, even if other windows cover it.
   * @throws DeskterityError WINDOW_NOT_FOUND; NOT_ACTIONABLE for a minimized or off-screen window; APP_UNRESPONSIVE for a
   * covered window whose application does not paint
   */
  async #window(id: number): Promise<CapturedImage> {
    const { visible, inWindow } = await this.#placeOf(id);
    return this.#reading(id, async () => {
      const isOnlyWindow = await this.#redirection.ensureIntact(id, visible, inWindow);
      const image = imageOf(await this.#reader.read(id, inWindow), visible);
      return isOnlyWindow ? { ...image, isOnlyWindow } : image;
    });
  }

  /** What the screen shows of a window now: nothing is redirected or painted for it. */
  async #asShown(id: number): Promise<CapturedImage> {
    const [{ visible, inWindow }, frame] = await Promise.all([this.#placeOf(id), topLevelOf(this.#wire, id)]);
    if (frame === undefined) throw windowNotFound(id);
    return this.#reading(id, async () => {
      const [bgrx, covers] = await Promise.all([
        this.#reader.read(id, inWindow),
        coversOf(this.#wire, frame),
      ]);
      const covered = covers.map((cover) => intersect(cover, visible)).filter((part) => part !== undefined);
      return { ...imageOf(bgrx, visible), covered };
    });
  }

  /** @throws DeskterityError WINDOW_NOT_FOUND; NOT_ACTIONABLE for a minimized or off-screen window */
  async #placeOf(id: number): Promise<{ readonly visible: Bounds; readonly inWindow: Bounds }> {
    const [attributes, bounds, screen] = await Promise.all([
      this.#wire.tryCall('GetWindowAttributes', id),
      readBounds(this.#wire, id),
      readScreen(this.#wire),
    ]);
    if (attributes === undefined || bounds === undefined) throw windowNotFound(id);
    if (attributes.mapState !== VIEWABLE) throw minimized(id);
    const visible = intersect(bounds, screen);
    if (visible === undefined) {
      throw new DeskterityError(
        'NOT_ACTIONABLE',
        `Window 0x${id.toString(16)} is outside the screen and cannot be captured.`,
        { suggestion: 'Move the window onto the screen, then repeat the command.' },
      );
    }
    return { visible, inWindow: { ...visible, x: visible.x - bounds.x, y: visible.y - bounds.y } };
  }

  async #reading(id: number, read: () => Promise<CapturedImage>): Promise<CapturedImage> {
    try {
      return await read();
    } catch (error) {
      if (!isRefused(error)) throw error;
      throw await this.#reasonOf(id, error);
    }
  }

  /**
   * Draws a window's open menus, combo-box lists and tooltips onto its image: they are separate X windows, but for a person,
   * and in the accessibility tree, part of the window.
   */
  async #withPopups(id: number): Promise<CapturedImage> {
    const image = await this.#window(id);
    const [pid, popups] = await Promise.all([readOwnerPid(this.#wire, id), listPopups(this.#wire)]);
    const area = boundsOf(image);
    const own = popups.filter(
      (popup) =>
        intersect(popup.bounds, area) !== undefined &&
        (popup.transientFor === windowIdOf(id) || (popup.pid !== undefined && popup.pid === pid)),
    );
    if (own.length === 0) return image;
    const bgrx = image.bgrx.slice();
    for (const popup of own) {
      // It may have closed meanwhile.
      const layer = await this.#window(windowOf(popup.id)).catch(() => undefined);
      if (layer) paint(bgrx, area, layer);
    }
    return { ...image, bgrx };
  }

  async #monitors(): Promise<readonly Bounds[]> {
    const xinerama = await this.#wire.extension('xinerama');
    if (xinerama === undefined) return [];
    return this.#wire.request<readonly Bounds[]>((_, done) => {
      xinerama.QueryScreens(done);
    });
  }

  async #ofRoot(area: Bounds): Promise<CapturedImage> {
    return imageOf(await this.#reader.read(this.#wire.root, area), area);
  }

  /** The server refuses to read a window that has closed, been minimized or shrunk since its bounds were read. */
  async #reasonOf(id: number, refusal: Error): Promise<DeskterityError> {
    const attributes = await this.#wire.tryCall('GetWindowAttributes', id);
    if (attributes === undefined) return windowNotFound(id);
    if (attributes.mapState !== VIEWABLE) return minimized(id);
    return asDeskterityError(refusal, `reading the pixels of window 0x${id.toString(16)}`);
  }
}

function minimized(id: number): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `Window 0x${id.toString(16)} is minimized, and minimized windows cannot be captured.`,
    { suggestion: 'Restore it first.' },
  );
}

function imageOf(bgrx: Uint8Array, area: Bounds): CapturedImage {
  return { width: area.width, height: area.height, bgrx, origin: { x: area.x, y: area.y }, scale: 1 };
}

function paint(bgrx: Uint8Array, area: Bounds, layer: CapturedImage): void {
  const shared = intersect(area, boundsOf(layer));
  if (!shared) return;
  for (let y = shared.y; y < shared.y + shared.height; y++) {
    const from = ((y - layer.origin.y) * layer.width + (shared.x - layer.origin.x)) * 4;
    const to = ((y - area.y) * area.width + (shared.x - area.x)) * 4;
    bgrx.set(layer.bgrx.subarray(from, from + shared.width * 4), to);
  }
}

function boundsOf(image: CapturedImage): Bounds {
  return { ...image.origin, width: image.width, height: image.height };
}
