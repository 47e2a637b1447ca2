import { z } from 'zod';
import { byDisplay } from '../../model/effects/guarantees.ts';
import { quote } from '../../model/text/untrusted-text.ts';

export const ClipboardChange = z.object({
  effect: z.enum(['confirmed', 'unverified']),
  evidence: z.array(z.string()).describe('Observations that support the effect.'),
  formats: z.array(z.string()).describe('Formats on offer now.'),
});

/** What the commands that change the clipboard have in common. */
export const changesClipboard = {
  group: 'clipboard',
  kind: 'act',
  guarantee: byDisplay('clipboard', 'reading the clipboard back as other programs do'),
  needs: ['clipboard'],
  idempotent: true,
  outline: outlineChange,
} as const;

/** Format names come from other programs, so they are quoted. */
function outlineChange({
  effect,
  evidence,
  formats,
  bytes,
}: z.output<typeof ClipboardChange> & { readonly bytes?: number | undefined }): string {
  const offered = formats.length === 0 ? 'no formats' : formats.map((name) => quote(name)).join(' ');
  const lines = [`${effect}: ${offered}${bytes === undefined ? '' : ` ${bytes} bytes`}`];
  for (const line of evidence) lines.push(`  evidence: ${line}`);
  return lines.join('\n');
}
