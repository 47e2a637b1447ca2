import { reveal } from '../model/text/untrusted-text.ts';

/** Makes control characters visible, except newlines and tabs, and those that show text in another order than it has. */
export function showControls(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu, (character) => reveal(character));
}
