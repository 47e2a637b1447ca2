import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { ClipboardChange, changesClipboard } from './clipboard-change.ts';
import {
  defineCommand,
  timeout,
  optionalText,
  callLimits,
  exactlyOne,
  callersPath,
} from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

export default defineCommand({
  ...changesClipboard,
  name: ['clipboard', 'set'],
  title: 'Set the clipboard',
  summary: 'Put text or a picture on the clipboard.',
  description:
    'Replaces the content, then reads it back: "confirmed" means that other programs receive it. The daemon holds it until another program copies something; when the daemon exits, only a clipboard manager can keep it.',
  input: z
    .object({
      text: optionalText('The text.'),
      image: optionalText('PNG file to copy instead.'),
      timeout_ms: timeout(10_000),
    })
    .refine(...exactlyOne('text', 'image')),
  positionals: ['text'],
  secret: 'text',
  output: ClipboardChange.extend({
    bytes: z
      .int()
      .nonnegative()
      .optional()
      .describe('Size of the text as UTF-8, or of the PNG file; absent for a secret.'),
  }),
  examples: [
    { about: 'Copy text', input: { text: 'Ada Lovelace' } },
    { about: 'Copy a picture', input: { image: 'chart.png' } },
  ],
  run: async (ctx, input) => {
    const { text, image } = input;
    const content =
      text === undefined
        ? { kind: 'image' as const, png: await readPicture(ctx, image ?? '') }
        : { kind: 'text' as const, text };
    const engine = await ctx.engine();
    const { effect, evidence, formats, bytes } = await engine.writeClipboard({
      content,
      outlivesCall: ctx.outlivesCall === true,
      onReversal: ctx.onReversal,
      ...callLimits(ctx, input),
    });
    const isSecret = text !== undefined && ctx.secrets?.includes(text) === true;
    return { effect, evidence: [...evidence], formats: [...formats], ...(isSecret ? {} : { bytes }) };
  },
});

/** Larger files are refused: the display accepts no larger picture. */
const MAX_BYTES = 16 * 1_048_576;

async function readPicture({ files, cwd }: Pick<CommandContext, 'files' | 'cwd'>, file: string) {
  const path = callersPath({ cwd }, file);
  const facts = await files.find(path);
  const shown = JSON.stringify(file.slice(0, 200));
  if (facts?.kind !== 'file')
    throw new DeskterityError('INVALID_ARGUMENT', `File ${shown} does not exist.`, {
      suggestion: 'Give the path of a PNG file.',
    });
  if (facts.bytes > MAX_BYTES)
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `The file ${shown} is larger than ${MAX_BYTES / 1_048_576} MiB.`,
      { suggestion: 'Give a smaller picture.' },
    );
  return (await files.read(path)) ?? new Uint8Array(0);
}
