/** What has to be replaced in a text to make another one of it. */
export interface TextDifference {
  /** Characters (Unicode code points) before it. */
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  /** What is removed could as well be a neighbouring part with the same characters: one of "oo" may be either. */
  readonly isAmbiguous: boolean;
}

/** The smallest single replacement that makes `to` of `from`; `undefined` if they are the same. */
export function differenceBetween(from: string, to: string): TextDifference | undefined {
  if (from === to) return undefined;
  const [old, wanted] = [Array.from(from), Array.from(to)];
  const shortest = Math.min(old.length, wanted.length);
  let at = 0;
  while (at < shortest && old[at] === wanted[at]) at += 1;
  let same = 0;
  while (same < shortest - at && old.at(-1 - same) === wanted.at(-1 - same)) same += 1;
  const removed = old.slice(at, old.length - same);
  const inserted = wanted.slice(at, wanted.length - same);
  const isPureRemoval = inserted.length === 0;
  const isAmbiguous = isPureRemoval && at > 0 && old[at - 1] === removed.at(-1);
  return { at, removed: removed.join(''), inserted: inserted.join(''), isAmbiguous };
}
