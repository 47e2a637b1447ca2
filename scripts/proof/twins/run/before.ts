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

/** Longer than a dialog takes to open on a busy machine. */
const MOST_LATE_MS = 4000;

/** Looks again as long as one side shows other windows than the other: a screen may be still while a dialog is on its way. */
export async function onceWindowsAlike(
  first: Before,
  lookAgain: () => Promise<Before>,
  mostMs = MOST_LATE_MS,
): Promise<Before> {
  const end = performance.now() + mostMs;
  let now = first;
  while (titlesOf(now.ours) !== titlesOf(now.twin) && performance.now() < end) now = await lookAgain();
  return now;
}

function titlesOf({ seen: { windows } }: View): string {
  const titles = windows.filter(({ managed }) => managed).map(({ title }) => title);
  return JSON.stringify(titles.toSorted());
}
