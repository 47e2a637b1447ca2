/** Lists and objects within each other in what a caller gives: more than any input has, and few enough for code that follows them by recursion. */
export const MOST_LEVELS = 100;

export const TOO_DEEP = `it has more than ${MOST_LEVELS} lists or objects within each other`;

/** JSON from a caller. @throws SyntaxError if it is not JSON, or nested too deeply */
export function parseGivenJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new SyntaxError(TOO_DEEP);
  return value;
}

/** Whether a value has more levels than {@link MOST_LEVELS}. */
export function isTooDeep(value: unknown): boolean {
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, level] = next;
    if (typeof inner !== 'object' || inner === null) continue;
    if (level >= MOST_LEVELS) return true;
    for (const each of Object.values(inner)) open.push([each, level + 1]);
  }
  return false;
}
