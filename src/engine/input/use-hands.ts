import type { CallOptions, DesktopPort } from '../../ports/desktop.ts';
import type { Hands } from '../../ports/input.ts';
import { delivering } from '../acting/delivery.ts';

/** What acting with keyboard and pointer needs to know of whom it acts for. */
export interface HandsParts {
  readonly desktop: DesktopPort;
  /** Whose keyboard and pointer they are meanwhile. */
  readonly holder: string;
}

/** Runs `work` with keyboard and pointer. What it leaves held is released, except what was held before it and what `keep` says. */
export async function withHands<T>(
  { desktop, holder }: HandsParts,
  { keep = false, ...options }: CallOptions & { readonly keep?: boolean },
  work: (hands: Hands) => Promise<T>,
): Promise<T> {
  const hands = await delivering(false, () => desktop.input.take(holder, options));
  let isWell = false;
  const wasHeld = hands.held.length > 0;
  try {
    const result = await work(hands);
    isWell = true;
    return result;
  } finally {
    await hands.giveBack({ keep: isWell && (keep || wasHeld) });
  }
}
