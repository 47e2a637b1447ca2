import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { Capability } from './protocol.ts';

/** No compositor divides a desktop further. */
const MOST_REGIONS = 64;

/** A device of the server, as far as it was described. */
export class EiDevice {
  readonly id: bigint;
  /** The objects for what it can do. */
  readonly parts = new Map<Capability, bigint>();
  /** Whether it accepts events now. */
  isResumed = false;
  readonly #regions: Bounds[] = [];

  constructor(id: bigint) {
    this.id = id;
  }

  /** Where an absolute pointer can go. */
  get regions(): readonly Bounds[] {
    return this.#regions;
  }

  addRegion(region: Bounds): void {
    if (this.#regions.length < MOST_REGIONS) this.#regions.push(region);
  }

  reaches(point: { readonly x: number; readonly y: number }): boolean {
    return this.#regions.some(
      ({ x, y, width, height }) =>
        point.x >= x && point.y >= y && point.x < x + width && point.y < y + height,
    );
  }
}
