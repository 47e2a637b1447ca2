import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { PictureWatch } from '../../../../../ports/picture-watch.ts';
import { unsupported } from '../../../failures.ts';
import type { X11Wire } from '../wire.ts';
import type { Extensions } from '../x11-library.ts';

/** One event when the damage becomes non-empty, however much is painted after that. */
const NON_EMPTY = 3;
const ALL = 0;

/** Collects in the server where the screen is painted, windows included: what is never asked for costs one event. */
export class DamageWatch implements PictureWatch {
  readonly #wire: X11Wire;
  readonly #damage: Extensions['damage'];
  readonly #fixes: Extensions['fixes'];
  readonly #id: number;
  readonly #region: number;
  readonly #stop: () => void;
  #hasEnded = false;

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if the server lacks the extensions */
  static async begin(wire: X11Wire, listener: () => void): Promise<DamageWatch> {
    const [damage, fixes] = await Promise.all([wire.extension('damage'), wire.extension('fixes')]);
    if (damage === undefined || fixes === undefined)
      throw unsupported(
        `The display ${wire.display} does not report what is painted.`,
        'Start its X server with the DAMAGE and XFIXES extensions.',
      );
    return new DamageWatch(wire, { damage, fixes }, listener);
  }

  private constructor(
    wire: X11Wire,
    { damage, fixes }: Pick<Extensions, 'damage' | 'fixes'>,
    listener: () => void,
  ) {
    this.#wire = wire;
    this.#damage = damage;
    this.#fixes = fixes;
    this.#id = wire.allocateId();
    this.#region = wire.allocateId();
    this.#stop = wire.onEvent((event) => {
      if (event.name === 'DamageNotify' && event.damage === this.#id) listener();
    });
    wire.send(() => {
      damage.Create(this.#id, wire.root, NON_EMPTY);
      fixes.CreateRegion(this.#region, []);
    });
  }

  async takeAreas(options: CallOptions): Promise<readonly Bounds[]> {
    const fetched = this.#wire.request<{ readonly rectangles: readonly Bounds[] }>((_, done) => {
      this.#damage.Subtract(this.#id, ALL, this.#region);
      this.#fixes.FetchRegion(this.#region, done);
    });
    const { rectangles } = await this.#wire.within(fetched, 'reading what was painted', options);
    return rectangles;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stop();
    if (this.#wire.isLost) return;
    this.#wire.send(() => {
      this.#damage.Destroy(this.#id);
      this.#fixes.DestroyRegion(this.#region);
    });
    this.#wire.releaseId(this.#id);
    this.#wire.releaseId(this.#region);
  }
}
