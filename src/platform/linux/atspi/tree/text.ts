import type { ToolkitTraits } from './toolkit.ts';

/** U+FFFC represents a child element in a text; a text of nothing else has no content (drop-down lists in Chromium). */
export function isOnlyEmbeddedObjects(text: string): boolean {
  return /^\uFFFC+$/.test(text);
}

/** Whether a text says more than the elements in it. */
export function hasOwnText(text: string): boolean {
  return /[^\uFFFC\s\u{200B}\u{FEFF}]/u.test(text);
}

/** A text with the names of the elements in it, in their order. */
export function mixedText(text: string, names: readonly string[]): string {
  const rest = [...names];
  return withoutPadding(text)
    .replaceAll('\uFFFC', () => ` ${rest.shift() ?? ''} `)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** What a text says beside the elements in it. */
export function ownText(text: string): string {
  return withoutPadding(text).replaceAll('\uFFFC', ' ').replaceAll(/\s+/g, ' ').trim();
}

/** Firefox adds U+FEFF after each character beyond U+FFFF, so that offsets are the same in UTF-16 and in AT-SPI. */
export function withoutPadding(text: string): string {
  return text.replaceAll(/([\u{10000}-\u{10FFFF}])\uFEFF/gu, '$1');
}

/** Java's bridge returns "" for a text with a character beyond U+FFFF: U+FFFD then replaces the unreadable characters. */
export function restoreHidden(
  { onlyBasicPlane }: Pick<ToolkitTraits, 'onlyBasicPlane'>,
  text: string,
  characterCount: number,
): string {
  return onlyBasicPlane && text === '' ? '\uFFFD'.repeat(characterCount) : text;
}
