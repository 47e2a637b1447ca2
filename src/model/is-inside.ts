/** Whether `path` is the folder or inside it, judged by the absolute names alone. */
export function isInside(folder: string, path: string): boolean {
  const inner = namesOf(path);
  return namesOf(folder).every((name, at) => name === inner[at]);
}

/** `C:\\a` and `\\\\host\\share`: there, both slashes separate and case does not matter. */
const WINDOWS = /^(?:[a-z]:)?\\|^[a-z]:\//i;

function namesOf(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of WINDOWS.test(path) ? path.toLowerCase().split(/[\\/]/) : path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}
