import type { CallOptions } from '../../ports/desktop.ts';
import type { InputLease } from '../../ports/input.ts';
import type { ActingParts } from '../acting/act.ts';
import { delivering } from '../acting/delivery.ts';

/** What finding windows and places in them needs. */
export type WindowParts = Pick<ActingParts, 'desktop' | 'clock'>;

/** What keyboard and pointer need. */
export interface PointerParts extends WindowParts {
  /** Whose keyboard and pointer they are meanwhile. */
  readonly holder: string;
}

/** What acting with keyboard and pointer needs. */
export interface InputParts extends ActingParts, PointerParts {}

/** Runs `work` with keyboard and pointer. What it leaves held is released, except what was held before it and what `keep` says. */
export async function withInputLease<T>(
  { desktop, holder }: Pick<PointerParts, 'desktop' | 'holder'>,
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
