import type { View } from '../look/compare.ts';
import { view } from '../look/look.ts';
import type { Pair } from './pair.ts';

/** Both sides before an act. */
export interface Before {
  readonly ours: View;
  readonly twin: View;
}

/** Looks at both sides. */
export async function lookAtBoth(pair: Pair): Promise<Before> {
  const [ours, twin] = await Promise.all([view(pair.ours), view(pair.twin)]);
  return { ours, twin };
}
