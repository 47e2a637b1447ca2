const MOST_CONSIDERED = 1000;

/** Those that fit what was typed, in any case: first those that begin with it, then those that contain it. */
export function matching(values: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const considered = [...new Set(values.slice(0, MOST_CONSIDERED))];
  if (wanted === '') return considered;
  const beginning = considered.filter((value) => value.toLowerCase().startsWith(wanted));
  const containing = considered.filter((value) => value.toLowerCase().indexOf(wanted) > 0);
  return [...beginning, ...containing];
}
