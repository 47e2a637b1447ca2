import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { InputLease } from '../../ports/input.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { PointerParts } from './input-lease.ts';
import { hitNow, reachPoint } from './reach-point.ts';
import type { Spot } from './reach-point.ts';

/** An element may move when the pointer comes near it. */
const MOST_AIMS = 3;
/** For an application to hear of the pointer, and to do what it does about it. */
const HOVER_MS = 30;

/** The pointer on an element. */
export interface Aimed extends Spot {
  /** The application says that the element is what lies there; otherwise only that nothing else does. */
  readonly isCertain: boolean;
}

/**
 * Moves the pointer onto an element and looks once more: what is clicked must be what was resolved.
 * @throws DeskterityError NOT_ACTIONABLE when the element went away from under the pointer
 */
export async function aim(
  parts: PointerParts,
  {
    lease,
    target,
    spot,
  }: { readonly lease: InputLease; readonly target: ResolvedTarget; readonly spot: Spot },
  options: () => CallOptions,
): Promise<Aimed> {
  let aimedAt = spot;
  for (let aims = 0; aims < MOST_AIMS; aims++) {
    await lease.moveTo(aimedAt.point, options());
    await parts.clock.sleep(HOVER_MS, options().signal);
    const hit = await hitNow(parts, aimedAt, options());
    if (hit?.kind === 'target' || hit?.kind === 'unknown')
      return { ...aimedAt, isCertain: hit.kind === 'target' };
    aimedAt = await reachPoint(parts, target, options);
  }
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `${target.ref} went away from under the pointer, ${MOST_AIMS} times.`,
    {
      suggestion: 'Wait until it is at rest, look again with "desk snapshot" and repeat the command.',
      delivered: false,
      retryable: true,
    },
  );
}
