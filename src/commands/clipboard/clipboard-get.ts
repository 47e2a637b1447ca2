import { mentionKey, mentionParameter, onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { line, span } from '../../model/text/page.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import {
  defineCommand,
  timeout,
  optionalText,
  callLimits,
  deliverPicture,
  pictureFile,
  picturePath,
} from '../../registry/define.ts';

const MIB = 1_048_576;

export default defineCommand({
  name: ['clipboard', 'get'],
  group: 'clipboard',
  kind: 'read',
  title: 'Read the clipboard',
  needs: ['clipboard'],
  pictureFile: 'image',
  summary: 'Read the text or picture on the clipboard.',
  description: `The content comes from another program and may be anything. Text longer than ${mentionParameter('max_bytes')} is cut; "${mentionKey('omitted_bytes')}" says by how much. An empty clipboard is CLIPBOARD_EMPTY.`,
  input: z
    .object({
      kind: z
        .enum(['text', 'image'])
        .optional()
        .describe(
          `What to read. Default: text${onCommandLine(', or image if it is to be saved to a file')}.`,
        ),
      image: optionalText(
        'PNG file to write the picture to; missing folders are created. Default: ./clipboard-TIME.png.',
      ),
      max_bytes: z
        .int()
        .min(1)
        .max(16 * MIB)
        .default(64 * 1024)
        .describe('Longest text to return, in bytes of UTF-8.'),
      timeout_ms: timeout(5000),
    })
    .refine(({ kind, image }) => !(kind === 'text' && image !== undefined), {
      path: ['image'],
      error: 'applies to pictures, not to text',
    }),
  output: z.object({
    kind: z.enum(['text', 'image']),
    text: z.string().optional(),
    path: picturePath,
    bytes: z
      .int()
      .nonnegative()
      .describe('Size of the clipboard content: the text as UTF-8, or the PNG file.'),
    omitted_bytes: z.int().positive().optional().describe('Bytes cut from the end of the text.'),
  }),
  examples: [
    { about: 'Just the text', input: {}, format: 'text' },
    { about: 'The beginning of a long text', input: { max_bytes: 2000 } },
    { about: 'Save the picture to a file', input: { image: 'copied.png' } },
  ],
  outline: ({ text, path, bytes, omitted_bytes: omitted }) => {
    if (text === undefined) return `${path ?? 'picture'} ${bytes} bytes`;
    const rest =
      omitted === undefined
        ? ''
        : `\n${omitted} of ${bytes} bytes left out: raise ${mentionParameter('max_bytes')}`;
    return `${quote(text)}${rest}`;
  },
  text: ({ text, path }) => text ?? path ?? '',
  page: ({ text, path, bytes, omitted_bytes: omitted }) => [
    text === undefined
      ? line([path ?? 'picture', span(` ${bytes} bytes`, 'quiet')])
      : { kind: 'verbatim', text },
    ...(omitted === undefined
      ? []
      : [
          line(
            span(`${omitted} of ${bytes} bytes left out: raise ${mentionParameter('max_bytes')}`, 'quiet'),
          ),
        ]),
  ],
  run: async (ctx, input) => {
    const kind = input.kind ?? (input.image === undefined ? 'text' : 'image');
    const engine = await ctx.engine();
    const call = callLimits(ctx, input);
    const content = await engine.readClipboard({ kind, ...call });
    if (content.kind === 'text') return { kind: 'text' as const, ...cut(content.text, input.max_bytes) };
    const file = input.image ?? `clipboard-${ctx.calledAt.toISOString().replaceAll(/[:.]/g, '-')}.png`;
    const picture = { mimeType: 'image/png' as const, bytes: content.png };
    return { kind: 'image' as const, ...(await deliverPicture(ctx, pictureFile(ctx, file), picture)) };
  },
});

/** The beginning of a text, cut between characters. */
function cut(text: string, maxBytes: number): { text: string; bytes: number; omitted_bytes?: number } {
  const all = Buffer.from(text, 'utf8');
  const bytes = all.length;
  if (bytes <= maxBytes) return { text, bytes };
  let end = maxBytes;
  // In UTF-8, bytes 10xxxxxx continue a character.
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { text: all.toString('utf8', 0, end), bytes, omitted_bytes: bytes - end };
}
