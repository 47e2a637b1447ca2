import { clip, reveal } from '../../model/text/untrusted-text.ts';
import { errorWords } from '../connection/error-words.ts';

/** What an error of signing in says, on one line. */
export function wordsOf(error: unknown): string {
  return reveal(clip(errorWords(error), 500));
}
