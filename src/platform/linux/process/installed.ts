import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Whether an administrator owns a file and all folders above it, and nobody else may write to them. */
export function isInstalled(file: string): boolean {
  try {
    for (let at = realpathSync(file); ; at = path.dirname(at)) {
      const { uid, mode } = statSync(at);
      if (uid !== 0 || (mode & 0o002) !== 0) return false;
      if (at === '/') return true;
    }
  } catch {
    return false;
  }
}

export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
