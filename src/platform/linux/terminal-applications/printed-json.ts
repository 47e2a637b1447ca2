/** Parses another program's output; `undefined` if it is not JSON. */
export function parseJson(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return undefined;
  }
}

export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

export function textField(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === 'string' ? text : '';
}

/** A numeric id, as an argument. */
export function identifier(value: unknown, name: string): string | undefined {
  const number = field(value, name);
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    ? String(number)
    : undefined;
}
