import { intersect } from '../../../model/bounds.ts';
import type { Bounds } from '../../../model/bounds.ts';
import type { X11Wire } from './wire.ts';
import { readAttributes, readGeometry, readTree } from './window.ts';
import type { CompositeExtension } from './x11-library.ts';

const AUTOMATIC = 0;
const VIEWABLE = 2;
const INPUT_OUTPUT = 1;
const RAW_RECTANGLES = 0;
/** How long a window may take to start painting what was covered. Field measurements: 5 to 300 ms. */
const FIRST_PAINT_MS = 300;
const QUIET_MS = 50;
const CAP_MS = 900;

/**
 * Makes covered windows readable. The server keeps the pixels of a covered window only when its top-level window is redirected to
 * memory of its own (a compositor does that for all, the server for windows of another depth). Where it is not, we redirect it, once for
 * the life of the connection: undoing it after every picture would make the application paint twice each time.
 */
export class Redirection {
  readonly #wire: X11Wire;

  constructor(wire: X11Wire) {
    this.#wire = wire;
  }

  /** Resolves when reading `area` (screen coordinates) of the window gives its own pixels, as far as the server can do that. */
  async ensureIntact(window: number, area: Bounds): Promise<void> {
    const frame = await this.#topLevelOf(window);
    if (frame === undefined || !(await this.#isCovered(frame, area))) return;
    const composite = await this.#wire.extension('composite');
    if (composite === undefined || (await this.#isRedirected(composite, frame))) return;
    await this.#redirect(composite, frame, window);
  }

  /** The child of the root that holds the window: the window manager's frame, or the window itself. */
  async #topLevelOf(window: number): Promise<number | undefined> {
    let current = window;
    for (;;) {
      const tree = await readTree(this.#wire, current);
      if (tree === undefined) return undefined;
      if (tree.parent === this.#wire.root || tree.parent === 0) return current;
      current = tree.parent;
    }
  }

  async #isCovered(frame: number, area: Bounds): Promise<boolean> {
    const tree = await readTree(this.#wire, this.#wire.root);
    const siblings = tree?.children ?? [];
    const above = siblings.slice(siblings.indexOf(frame) + 1);
    const covers = await Promise.all(
      above.map(async (id) => {
        const [attributes, geometry] = await Promise.all([
          readAttributes(this.#wire, id),
          readGeometry(this.#wire, id),
        ]);
        if (attributes === undefined || geometry === undefined) return false;
        if (attributes.mapState !== VIEWABLE || attributes.klass !== INPUT_OUTPUT) return false;
        const border = 2 * geometry.borderWidth;
        const outer = {
          x: geometry.xPos,
          y: geometry.yPos,
          width: geometry.width + border,
          height: geometry.height + border,
        };
        return intersect(outer, area) !== undefined;
      }),
    );
    return covers.includes(true);
  }

  /** Only a redirected window has a pixmap that can be named. */
  async #isRedirected(composite: CompositeExtension, frame: number): Promise<boolean> {
    const pixmap = this.#wire.allocateId();
    this.#wire.send(() => {
      composite.NameWindowPixmap(frame, pixmap);
    });
    const [geometry] = await Promise.all([
      readGeometry(this.#wire, pixmap),
      this.#wire.attempt<undefined>((client, done) => {
        client.FreePixmap(pixmap, done);
      }),
    ]);
    this.#wire.releaseId(pixmap);
    return geometry !== undefined;
  }

  /** Redirects, then waits until the application has painted what used to be covered. */
  async #redirect(composite: CompositeExtension, frame: number, window: number): Promise<void> {
    const damage = await this.#wire.extension('damage');
    const id = this.#wire.allocateId();
    // In one write, so that the application cannot paint between the two.
    this.#wire.send(() => {
      composite.RedirectWindow(frame, AUTOMATIC);
      damage?.Create(id, window, RAW_RECTANGLES);
    });
    await this.#untilPainted(id);
    this.#wire.send(() => {
      damage?.Destroy(id);
    });
    this.#wire.releaseId(id);
  }

  #untilPainted(damageId: number): Promise<void> {
    return new Promise((resolve) => {
      const latest = performance.now() + CAP_MS;
      const finish = (): void => {
        stop();
        resolve();
      };
      let timer = setTimeout(finish, FIRST_PAINT_MS);
      const stop = this.#wire.onEvent((event) => {
        if (event.name !== 'DamageNotify' || event.damage !== damageId) return;
        clearTimeout(timer);
        timer = setTimeout(finish, Math.max(0, Math.min(QUIET_MS, latest - performance.now())));
      });
    });
  }
}
