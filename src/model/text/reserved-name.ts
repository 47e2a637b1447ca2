const INHERITED = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)];
const RESERVED: ReadonlySet<string> = new Set(INHERITED.map((name) => name.toLowerCase()));

/** Whether every object already has something of this name, such as `__proto__` or `constructor`: not a name that a caller may give. Case is ignored. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name.trim().toLowerCase());
}

export const RESERVED_NAME = 'is a name that objects in JavaScript have already; choose another one';
