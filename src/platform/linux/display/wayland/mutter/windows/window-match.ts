/** How well a window of an application agrees with one of the compositor's. */
export type Fit = 'exact' | 'loose' | 'none';

/**
 * Which window of an application is which of the compositor's, where nothing but sizes tells. Only what cannot be otherwise is matched; what could be one of
 * several is left out.
 */
export interface MatchInput<F, A> {
  /** Windows that applications report. */
  readonly frames: readonly F[];
  /** Windows that the compositor shows, lowest first. */
  readonly actors: readonly A[];
  readonly fit: (frame: F, actor: A) => Fit;
  /** Whether a window says that it has the keyboard focus: the compositor puts that one on top. */
  readonly isActive: (frame: F) => boolean;
}

export function matchWindows<F, A>({ frames, actors, fit, isActive }: MatchInput<F, A>): ReadonlyMap<A, F> {
  const matched = new Map<A, F>();
  const left = { frames: new Set(frames), actors: new Set(actors) };
  const match = (actor: A, frame: F): void => {
    matched.set(actor, frame);
    left.frames.delete(frame);
    left.actors.delete(actor);
  };
  // Menus and tooltips lie above it, and fit nothing.
  const top = actors.findLast((actor) => frames.some((frame) => fit(frame, actor) !== 'none'));
  const [active, ...others] = frames.filter(isActive);
  if (top !== undefined && active !== undefined && others.length === 0 && isBest(active, top))
    match(top, active);
  for (const isAgreeing of [
    (frame: F, actor: A) => fit(frame, actor) === 'exact',
    (frame: F, actor: A) => fit(frame, actor) !== 'none',
  ])
    for (let before = -1; before !== matched.size;) {
      before = matched.size;
      for (const actor of left.actors) {
        const [frame, ...more] = [...left.frames].filter((each) => isAgreeing(each, actor));
        if (frame === undefined || more.length > 0) continue;
        const rivals = [...left.actors].filter((other) => isAgreeing(frame, other));
        if (rivals.length === 1) match(actor, frame);
      }
    }
  return matched;

  function isBest(frame: F, actor: A): boolean {
    const own = fit(frame, actor);
    return own === 'exact' || (own === 'loose' && frames.every((each) => fit(each, actor) !== 'exact'));
  }
}
