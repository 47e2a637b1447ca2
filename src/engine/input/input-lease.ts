import type { CallOptions } from '../../ports/call-options.ts';
import type { InputLease } from '../../ports/input.ts';
import type { ActingParts } from '../acting/act.ts';
import { delivering } from '../acting/delivery.ts';

/** What finding windows and points in them needs. */
export type WindowParts = Pick<ActingParts, 'desktop' | 'clock'>;

/** What keyboard and pointer need. */
export interface PointerParts extends WindowParts {
  /** Names the holder of the lease to others. */
  readonly holder: string;
}

/** What acting with keyboard and pointer needs. */
export interface InputParts extends ActingParts, PointerParts {}

/** Runs `work` with keyboard and pointer leased. Keys and buttons left down are released, unless `keep` is set or some were held before. */
export async function withInputLease<T>(
  { desktop, holder }: Pick<PointerParts, 'desktop' | 'holder'>,
  { keep = false, ...options }: CallOptions & { readonly keep?: boolean },
  work: (lease: InputLease) => Promise<T>,
): Promise<T> {
  const lease = await delivering(false, () => desktop.input.take(holder, options));
  let hasSucceeded = false;
  const wasHeld = lease.held.length > 0;
  try {
    const result = await work(lease);
    hasSucceeded = true;
    return result;
  } finally {
    await lease.endLease({ keep: hasSucceeded && (keep || wasHeld) });
  }
}
