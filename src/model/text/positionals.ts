/** A bare argument that a command takes. */
export interface Positional {
  readonly key: string;
  readonly isRequired: boolean;
}

/**
 * The positionals that `count` bare arguments stand for. If there are too few for all, an optional one that stands before a required one is left
 * out first: one argument of `type [ref] <text>` is the text.
 */
export function positionalsFor<P extends Positional>(count: number, positionals: readonly P[]): readonly P[] {
  let left = positionals.length - count;
  const lastRequired = positionals.findLastIndex(({ isRequired }) => isRequired);
  return positionals.filter(({ isRequired }, index) => {
    const isLeftOut = left > 0 && !isRequired && index < lastRequired;
    if (isLeftOut) left -= 1;
    return !isLeftOut;
  });
}
