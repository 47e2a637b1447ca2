import { z } from 'zod';

/** A whole number between two bounds. */
export function whole([least, most]: readonly [number, number], usual: number, description: string) {
  return z.int().min(least).max(most).default(usual).describe(description);
}

/** A switch, off by default. */
export function flag(description: string, usual = false) {
  return z.boolean().default(usual).describe(description);
}

/** A text, empty by default. */
export function text(description: string) {
  return z.string().default('').describe(description);
}

/** One of several words. */
export function choice<const W extends readonly [string, ...string[]]>(
  words: W,
  usual: z.output<z.ZodEnum<{ [K in W[number]]: K }>>,
  description: string,
) {
  return z.enum(words).default(usual).describe(description);
}
