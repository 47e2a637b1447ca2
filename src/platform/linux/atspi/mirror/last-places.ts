import type { Known } from './asked.ts';
import type { Mirror } from './mirror.ts';

/** What a mirror knows, and where objects were when they were read last. */
export function withLastPlaces(mirror: Mirror): Known {
  return { answer: (path, slot) => mirror.answer(path, slot) ?? mirror.lastPlace(path, slot) };
}
