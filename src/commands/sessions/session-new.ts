import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { outlineSession, SessionSummary } from '../../model/sessions/session-summary.ts';
import { defineCommand, flag, timeout, optionalText, callLimits } from '../../registry/define.ts';

const MIN = { width: 320, height: 200 };
const MAX_PIXELS = 16_384;

/** `1280x800` as numbers, if a screen can have that size. */
function parseSize(text: string): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isPossible =
    size.width >= MIN.width && size.height >= MIN.height && Math.max(size.width, size.height) <= MAX_PIXELS;
  return isPossible ? size : undefined;
}

export default defineCommand({
  name: ['session', 'new'],
  group: 'sessions',
  kind: 'admin',
  summary: `Start a session with its own references and, with ${mentionParameter('private')}, its own desktop.`,
  description:
    `Calls join it with ${mentionParameter('session', 'NAME')} or DESKTERITY_SESSION=NAME. A private desktop is invisible, cannot access your windows, and ends with its session. ` +
    'A name is generated if none is given; case does not matter.',
  input: z
    .object({
      name: optionalText('Name; letters, digits, dots, dashes and underscores.'),
      private: flag('Give it its own desktop.'),
      size: z
        .string()
        .refine((text) => parseSize(text) !== undefined, {
          error: `must be WIDTHxHEIGHT in pixels, from ${MIN.width}x${MIN.height} to ${MAX_PIXELS}x${MAX_PIXELS}`,
        })
        .optional()
        .describe('Screen size of the private desktop, such as 1280x800. Default: as configured.'),
      timeout_ms: timeout(30_000),
    })
    .refine(({ size, private: isPrivate }) => size === undefined || isPrivate, {
      path: ['size'],
      error: `requires ${mentionParameter('private')}: the size of your own desktop is never changed`,
    }),
  positionals: ['name'],
  output: SessionSummary.extend({
    use: z.array(z.string()).describe('How a call joins the session: by flag or by variable.'),
  }),
  examples: [
    { about: 'A session on your desktop', input: { name: 'worker' } },
    { about: 'An invisible desktop', input: { name: 'worker', private: true, size: '1280x800' } },
    { about: 'Only the generated name, for a script', input: { private: true }, format: 'text' },
  ],
  outline: (output) => `${outlineSession(output)}\nuse it with ${output.use.join(' or ')}`,
  text: ({ name }) => name,
  run: async (ctx, input) => {
    const size = input.size === undefined ? undefined : parseSize(input.size);
    const { width, height } = size ?? ctx.configuration.values.private_desktop;
    const facts = await ctx.sessions.create({
      name: input.name,
      isPrivate: input.private,
      width,
      height,
      environment: ctx.environment,
      ...callLimits(ctx, input),
    });
    const use = [`--session ${facts.name}`, `DESKTERITY_SESSION=${facts.name}`];
    return { ...facts, use };
  },
});
