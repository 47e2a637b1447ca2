import { MAX_NAME } from './limits.ts';

// 1 for each byte allowed in an element of an object path.
const PATH_BYTES = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_') {
  PATH_BYTES[character.charCodeAt(0)] = 1;
}

/** Whether a character code is allowed between the slashes of an object path. */
export function isPathCode(code: number): boolean {
  return PATH_BYTES[code] === 1;
}

// A loop, not a regular expression: a hostile path is up to 128 MiB long.
/** Object path syntax (specification, "Valid Object Paths"). */
export function isObjectPath(text: string): boolean {
  if (text.charCodeAt(0) !== 47) return false;
  if (text.length === 1) return true;
  let afterSlash = true;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 47) {
      if (afterSlash) return false;
      afterSlash = true;
    } else {
      if (PATH_BYTES[code] !== 1) return false;
      afterSlash = false;
    }
  }
  return !afterSlash;
}

function matcher(pattern: RegExp): (text: string) => boolean {
  return (text) => text.length <= MAX_NAME && pattern.test(text);
}

/** Member name syntax: one element without dots. */
export const isMemberName = matcher(/^[A-Za-z_][A-Za-z0-9_]*$/);
/** Interface and error name syntax: two or more elements. */
export const isInterfaceName = matcher(/^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/);
/** Bus name syntax, unique (`:1.7`) or well-known. */
export const isBusName = matcher(
  /^(?::[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+|[A-Za-z_-][A-Za-z0-9_-]*(?:\.[A-Za-z_-][A-Za-z0-9_-]*)+)$/,
);
