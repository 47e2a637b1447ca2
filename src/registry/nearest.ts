/** Edit distance with insertions, deletions, substitutions and swaps of neighbours. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
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

/** The accepted word that `given` was most likely meant to be, or `undefined` when none is close. */
export function nearest(given: string, accepted: readonly string[]): string | undefined {
  const wanted = given.slice(0, 64).toLowerCase();
  if (wanted === '') return undefined;
  const scored = accepted
    .map((word) => ({ word, score: score(wanted, word.toLowerCase()) }))
    .filter(({ score }) => score <= Math.max(1, Math.floor(wanted.length / 4)));
  scored.sort((a, b) => a.score - b.score);
  return scored[0]?.word;
}

/** A prefix of three letters or more counts as close: `snap` means `snapshot`. */
function score(wanted: string, word: string): number {
  if (wanted.length >= 3 && word.startsWith(wanted)) return 0.5;
  return distance(wanted, word);
}
