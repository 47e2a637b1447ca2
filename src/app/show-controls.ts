import { reveal } from '../model/text/untrusted-text.ts';

/** Makes control characters visible, except newlines and tabs. */
export function showControls(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (character) => reveal(character));
}
