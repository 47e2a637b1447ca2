/**
 * An object on which some members are replaced. Its own methods see the replacements, too. `kept` names the members that stay, so that a new member of
 * `T` does not compile before somebody has decided what it is.
 */
export function overlay<T extends object, K extends keyof T>(
  original: T,
  _kept: readonly K[],
  replaced: Omit<T, K>,
): T {
  const own = new Map<PropertyKey, unknown>(Object.entries(replaced));
  return new Proxy(original, {
    get: (target, key, receiver): unknown =>
      own.has(key) ? own.get(key) : Reflect.get(target, key, receiver),
  });
}
