import type sharp from 'sharp';

export type Sharp = typeof sharp;

/** The door to npm `sharp`, which is there only where the user has installed it. Rejects where it cannot be loaded. */
export async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  return library;
}
