import { clip, reveal } from '../../model/text/untrusted-text.ts';

/** What an error of signing in says, on one line. */
export function wordsOf(error: unknown): string {
  return reveal(clip(error instanceof Error ? error.message : String(error), 500)).replace(/\.$/, '');
}
