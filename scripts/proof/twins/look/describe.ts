import type { Difference } from './compare.ts';

const MOST_LINES = 8;
const LONGEST = 200;

/** A difference in words, not too many. */
export function describe(
  { tree, windows, files, picture }: Difference,
  one: string,
  other: string,
): string[] {
  const lines = [tree, windows, files].flatMap((sides) => [
    ...sides.only.map((line) => `${one}: ${line}`),
    ...sides.other.map((line) => `${other}: ${line}`),
  ]);
  const kept = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line));
  if (lines.length > MOST_LINES) kept.push(`and ${lines.length - MOST_LINES} more`);
  if (picture !== undefined) kept.push(`the picture, in ${picture.box.join(',')}`);
  return kept;
}
