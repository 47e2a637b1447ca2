/** U+FFFC stands in a text for each child element; a text of nothing else says nothing (Chromium's drop-down lists). */
export function isOnlyEmbeddedObjects(text: string): boolean {
  return /^\uFFFC+$/.test(text);
}
