import { quote } from '../../model/text/untrusted-text.ts';

/** The effect on the clipboard. Format names come from other programs, so they are quoted. */
export function outlineClipboard(output: {
  readonly effect: string;
  readonly evidence: readonly string[];
  readonly formats: readonly string[];
  readonly bytes?: number | undefined;
}): string {
  const { effect, evidence, formats, bytes } = output;
  const offered = formats.length === 0 ? 'no formats' : formats.map((name) => quote(name)).join(' ');
  const lines = [`${effect}: ${offered}${bytes === undefined ? '' : ` ${bytes} bytes`}`];
  for (const line of evidence) lines.push(`  evidence: ${line}`);
  return lines.join('\n');
}
