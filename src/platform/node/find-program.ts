import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** The path of the first executable called `name` in the folders of `searchPath`. */
export function findProgram(name: string, searchPath: string): string | undefined {
  if (name === '' || name.includes(path.sep)) return undefined;
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => isExecutable(file));
}

/** Whether `file` is a file this user may run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
