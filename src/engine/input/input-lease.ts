import type { CallOptions, DesktopPort } from '../../ports/desktop.ts';
import type { InputLease } from '../../ports/input.ts';
import { delivering } from '../acting/delivery.ts';

/** What acting with keyboard and pointer needs to know of whom it acts for. */
export interface LeaseParts {
  readonly desktop: DesktopPort;
  /** Whose keyboard and pointer they are meanwhile. */
  readonly holder: string;
}

/** Runs `work` with keyboard and pointer. What it leaves held is released, except what was held before it and what `keep` says. */
export async function withInputLease<T>(
  { desktop, holder }: LeaseParts,
  { keep = false, ...options }: CallOptions & { readonly keep?: boolean },
  work: (lease: InputLease) => Promise<T>,
): Promise<T> {
  const lease = await delivering(false, () => desktop.input.take(holder, options));
  let isWell = false;
  const wasHeld = lease.held.length > 0;
  try {
    const result = await work(lease);
    isWell = true;
    return result;
  } finally {
    await lease.giveBack({ keep: isWell && (keep || wasHeld) });
  }
}
