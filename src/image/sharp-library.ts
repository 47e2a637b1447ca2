import type sharp from 'sharp';

export type Sharp = typeof sharp;

/** Loads npm `sharp`, which exists only if the user has installed it. Rejects if it cannot be loaded. */
export async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  return library;
}
