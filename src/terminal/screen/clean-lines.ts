import { visibleText } from '../../operations/output/clean-output.ts';

/** Terminal output as text, without control sequences and the final line end. */
export function textOf(bytes: Uint8Array): string {
  return visibleText(Buffer.from(bytes)).replace(/\n$/, '');
}
