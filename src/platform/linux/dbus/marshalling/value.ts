/** A value with its type: D-Bus type `v`. */
export class Variant {
  /** A single complete type. */
  readonly signature: string;
  readonly value: BusValue;

  constructor(signature: string, value: BusValue) {
    this.signature = signature;
    this.value = value;
  }
}

/**
 * A D-Bus value in JavaScript: `s o g` string; `y n q i u h d` number; `x t` bigint; `b` boolean; arrays and structs
 * array, except `ay` bytes (decoded into a separate Buffer) and `a{..}` Map; `v` {@link Variant}.
 */
export type BusValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | Variant
  | readonly BusValue[]
  | ReadonlyMap<BusValue, BusValue>;
