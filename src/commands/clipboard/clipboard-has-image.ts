import { z } from 'zod';
import { quote } from '../../model/text/untrusted-text.ts';
import { defineCommand, timeout, callLimits } from '../../registry/define.ts';

export default defineCommand({
  name: ['clipboard', 'has-image'],
  group: 'clipboard',
  kind: 'read',
  title: 'Check the clipboard for a picture',
  needs: ['clipboard'],
  summary: 'Check whether a picture is on the clipboard, without reading it.',
  description:
    'True if the owner of the clipboard offers a PNG image. "formats" lists all formats that the owner offers, under the names that it uses.',
  input: z.object({ timeout_ms: timeout(5000) }),
  output: z.object({
    has_image: z.boolean(),
    formats: z.array(z.string()).describe('Formats on offer; empty if the clipboard is empty.'),
  }),
  examples: [
    { about: 'For a script', input: {}, format: 'text' },
    { about: 'With a short deadline', input: { timeout_ms: 1000 } },
  ],
  outline: ({ has_image: hasImage, formats }) =>
    `${hasImage ? 'a picture' : 'no picture'}; ${formats.length === 0 ? 'the clipboard is empty' : formats.map((name) => quote(name)).join(' ')}`,
  text: ({ has_image: hasImage }) => String(hasImage),
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const call = callLimits(ctx, input);
    const { image, names } = await engine.clipboardFormats(call);
    return { has_image: image, formats: [...names] };
  },
});
