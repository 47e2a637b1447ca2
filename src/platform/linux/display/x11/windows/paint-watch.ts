import type { X11Wire } from '../wire.ts';
import type { Extensions } from '../x11-library.ts';

const RAW_RECTANGLES = 0;
/** How long an application may take to start painting a covered part; measured: 5 to 300 ms. */
const FIRST_PAINT_MS = 300;
const QUIET_MS = 50;
/** An application that never stops painting (a spinner) has painted everything by then. */
const CAP_MS = 450;

/** Detects when an application has painted its window since this watch began; without the Damage extension it only waits. */
export class PaintWatch {
  readonly #wire: X11Wire;
  readonly #damage: Extensions['damage'] | undefined;
  readonly #id: number;
  readonly #stop: () => void;
  readonly #listeners = new Set<() => void>();
  readonly #endListeners = new Set<() => void>();
  #reports = 0;

  /** The request that makes the application paint must be sent in the same turn, before or after this. */
  constructor(wire: X11Wire, damage: Extensions['damage'] | undefined, window: number) {
    this.#wire = wire;
    this.#damage = damage;
    this.#id = wire.allocateId();
    wire.send(() => damage?.Create(this.#id, window, RAW_RECTANGLES));
    this.#stop = wire.onEvent((event) => {
      if (event.name !== 'DamageNotify' || event.damage !== this.#id) return;
      this.#reports += 1;
      for (const listener of this.#listeners) listener();
    });
  }

  /** The server's first report describes the window before the watch began. */
  get hasPainted(): boolean {
    return this.#reports > 1;
  }

  /** Resolves when painting has started and paused, or at the time limit. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const latest = performance.now() + CAP_MS;
      const finish = (): void => {
        this.#listeners.delete(onPaint);
        resolve();
      };
      let timer = setTimeout(finish, this.hasPainted ? QUIET_MS : FIRST_PAINT_MS);
      const onPaint = (): void => {
        if (!this.hasPainted) return;
        clearTimeout(timer);
        timer = setTimeout(finish, Math.max(0, Math.min(QUIET_MS, latest - performance.now())));
      };
      this.#listeners.add(onPaint);
    });
  }

  /** Calls `listener` when this watch ends. */
  onEnd(listener: () => void): void {
    this.#endListeners.add(listener);
  }

  end(): void {
    this.#stop();
    for (const listener of this.#endListeners) listener();
    if (this.#wire.isLost) return;
    this.#wire.send(() => this.#damage?.Destroy(this.#id));
    this.#wire.releaseId(this.#id);
  }
}
