/** Why a file or folder cannot be used, from the code of the system's error, as a clause after a colon; `undefined` for other codes. */
export function fileProblem(code: unknown): string | undefined {
  return typeof code === 'string' ? PROBLEMS.get(code) : undefined;
}

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'you may not use it'],
  ['EPERM', 'you may not use it'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your disk quota is used up'],
  ['EIO', 'the disk does not work'],
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'it exists already'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
]);
