import { visibleText } from '../../operations/output/clean-output.ts';

/** What was shown as text without control sequences, and without the end of its last line. */
export function textOf(bytes: Uint8Array): string {
  return visibleText(Buffer.from(bytes)).replace(/\n$/, '');
}
