/** The accepted word most similar to `given`, or `undefined` if none is close. */
export function nearest(given: string, accepted: readonly string[]): string | undefined {
  const wanted = given.slice(0, 64).toLowerCase();
  if (wanted === '') return undefined;
  const limit = Math.max(1, Math.floor(wanted.length / 4));
  return ranked(accepted, (word) => {
    // A prefix of three letters or more counts as close: `snap` means `snapshot`.
    const score = wanted.length >= 3 && word.startsWith(wanted) ? 0.5 : editDistance(wanted, word);
    return score <= limit ? score : undefined;
  })[0];
}

/** The names that are similar to `given`, best first: close in spelling, or one containing the other. */
export function nearestNames(given: string, names: Iterable<string>, limit = 5): string[] {
  const wanted = given.slice(0, 64).toLowerCase();
  const furthest = Math.max(2, Math.floor(wanted.length / 3));
  return ranked([...new Set(names)], (name) => {
    const contained = wanted.length > 2 && (name.includes(wanted) || wanted.includes(name));
    if (contained) return 0.5 + name.length / 1000;
    if (Math.abs(name.length - wanted.length) > furthest) return undefined;
    const score = editDistance(wanted, name);
    return score <= furthest ? score : undefined;
  }).slice(0, limit);
}

function ranked(words: readonly string[], score: (lowered: string) => number | undefined): string[] {
  const scored: { word: string; score: number }[] = [];
  for (const word of words) {
    const value = score(word.toLowerCase());
    if (value !== undefined) scored.push({ word, score: value });
  }
  scored.sort((a, b) => a.score - b.score || a.word.localeCompare(b.word));
  return scored.map(({ word }) => word);
}

/** Insertions, deletions, substitutions and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
