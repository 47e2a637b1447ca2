/** Those of `names` a person may have meant by `wanted`, best first. */
export function nearestNames(wanted: string, names: Iterable<string>, limit = 5): string[] {
  const target = wanted.toLowerCase();
  const longest = Math.max(2, Math.floor(target.length / 3));
  const scored: { name: string; score: number }[] = [];
  for (const name of new Set(names)) {
    const candidate = name.toLowerCase();
    const contained = target.length > 2 && (candidate.includes(target) || target.includes(candidate));
    const score = contained ? 0.5 + candidate.length / 1000 : editDistance(target, candidate, longest);
    if (score <= longest) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || a.name.localeCompare(b.name));
  return scored.slice(0, limit).map(({ name }) => name);
}

/** Insertions, deletions and replacements between two words; anything above `limit` is just above it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
