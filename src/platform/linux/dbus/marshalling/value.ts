/** A value together with its type, D-Bus type `v`. */
export class Variant {
  /** One single complete type. */
  readonly signature: string;
  readonly value: BusValue;

  constructor(signature: string, value: BusValue) {
    this.signature = signature;
    this.value = value;
  }
}

/**
 * A D-Bus value in JavaScript: `s o g` string; `y n q i u h d` number; `x t` bigint; `b` boolean; array and struct
 * array, but `ay` bytes (decoded as a Buffer of its own) and `a{..}` Map; `v` {@link Variant}.
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
