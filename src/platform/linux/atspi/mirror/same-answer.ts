/** Whether two answers to one question say the same: plain values, lists, records and maps of them. */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => isSameAnswer(entry, other[index]));
  if (one instanceof Map && other instanceof Map)
    return (
      one.size === other.size &&
      [...one].every(([key, value]) => other.has(key) && isSameAnswer(value, other.get(key)))
    );
  const entries = Object.entries(one);
  const others = new Map(Object.entries(other));
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSameAnswer(value, others.get(key)))
  );
}
