import type { ToolkitTraits } from './toolkit.ts';

/** U+FFFC stands in a text for each child element; a text of nothing else says nothing (Chromium's drop-down lists). */
export function isOnlyEmbeddedObjects(text: string): boolean {
  return /^\uFFFC+$/.test(text);
}

/** Firefox puts U+FEFF behind each character beyond U+FFFF, so that offsets count the same in UTF-16 and in AT-SPI. */
export function withoutPadding(text: string): string {
  return text.replaceAll(/([\u{10000}-\u{10FFFF}])\uFEFF/gu, '$1');
}

/** The bridge of Java answers "" for a text with a character beyond U+FFFF in it: there is something, and nobody knows what. */
export function asTold(
  { onlyBasicPlane }: Pick<ToolkitTraits, 'onlyBasicPlane'>,
  text: string,
  characterCount: number,
): string {
  return onlyBasicPlane && text === '' ? '\uFFFD'.repeat(characterCount) : text;
}
