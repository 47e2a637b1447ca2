/**
 * An object on which some members are replaced. `kept` names the members that stay, so that a new member of `T` does not compile before somebody has
 * decided what it is; what is in neither is not there. What a kept method calls on itself is not replaced.
 */
export function overlay<T extends object, K extends keyof T>(
  original: T,
  kept: readonly K[],
  replaced: Omit<T, K>,
): T {
  const own = new Map<PropertyKey, unknown>(Object.entries(replaced));
  const open = new Set<PropertyKey>(kept);
  return new Proxy(original, {
    get: (target, key): unknown => {
      if (own.has(key)) return own.get(key);
      if (!open.has(key)) return undefined;
      const value: unknown = Reflect.get(target, key, target);
      // Private fields are only found on the object itself.
      return typeof value === 'function'
        ? (...given: readonly unknown[]): unknown => Reflect.apply(value, target, given)
        : value;
    },
  });
}
