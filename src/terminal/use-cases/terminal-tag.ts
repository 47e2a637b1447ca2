/** Tag of the project `/`. */
export const ROOT_PROJECT_TAG = '_root_project_';
/** Tag where nothing is left of the name. */
export const DEFAULT_TAG = '_default_tag_';

const LONGEST_TAG = 64;

/** The tag of a session whose caller names none: the last folder of the project, made safe. */
export function deriveTag(projectPath: string): string {
  const name = projectPath.split('/').findLast((part) => part !== '');
  return name === undefined ? ROOT_PROJECT_TAG : sanitiseTag(name);
}

/** Letters, digits, `-` and `_`; every other UTF-16 unit becomes `_`. At most 64 characters. */
export function sanitiseTag(text: string): string {
  const safe = text.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_TAG);
  return safe === '' ? DEFAULT_TAG : safe;
}
