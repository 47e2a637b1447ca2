import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` is the folder or lies below it, by their names alone; both absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
