import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { outlineSession, SessionSummary, summarizeSession } from '../../model/sessions/session-summary.ts';
import { defineCommand, flag, timeout } from '../../registry/define.ts';

const MIN = { width: 320, height: 200 };
const MAX_PIXELS = 16_384;

/** `1280x800` as numbers, where it is a size a screen can have. */
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
  summary: `Start a session: references of its own and, with ${mentionParameter('private')}, a desktop of its own.`,
  description:
    `Calls take part in it with ${mentionParameter('session', 'NAME')} or DESKTERITY_SESSION=NAME. A private desktop is seen by nobody, has no access to the windows of yours, and ends with its session. ` +
    'A name is made up where none is given; upper and lower case are the same.',
  input: z
    .object({
      name: z.string().min(1).optional().describe('Name; letters, digits, dots, dashes and underscores.'),
      private: flag('Give it a desktop of its own.'),
      size: z
        .string()
        .refine((text) => parseSize(text) !== undefined, {
          error: `must be WIDTHxHEIGHT in pixels, from ${MIN.width}x${MIN.height} to ${MAX_PIXELS}x${MAX_PIXELS}`,
        })
        .optional()
        .describe('Screen of the private desktop, such as 1280x800; the configuration decides otherwise.'),
      timeout_ms: timeout(30_000),
    })
    .refine(({ size, private: isPrivate }) => size === undefined || isPrivate, {
      path: ['size'],
      error: `needs ${mentionParameter('private')}: the size of your own desktop is not changed`,
    }),
  positionals: ['name'],
  output: SessionSummary.extend({
    use: z.array(z.string()).describe('What a call needs to take part: the flag, or the variable.'),
  }),
  examples: [
    { about: 'A session of its own on your desktop', input: { name: 'worker' } },
    { about: 'A desktop that nobody sees', input: { name: 'worker', private: true, size: '1280x800' } },
    { about: 'Only the made-up name, for a script', input: { private: true }, format: 'text' },
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
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
    const use = [`--session ${facts.name}`, `DESKTERITY_SESSION=${facts.name}`];
    return { ...summarizeSession(facts), use };
  },
});
