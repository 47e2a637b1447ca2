import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import {
  defineCommand,
  flag,
  timeout,
  optionalText,
  callLimits,
  excludes,
  deliverPicture,
  pictureFile,
  picturePath,
  timeName,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['session', 'view'],
  group: 'sessions',
  kind: 'admin',
  isReadOnly: true,
  pictureFile: 'path',
  beyondReading: 'live',
  summary: 'Take a picture of a session’s screen, or get a page that shows it live.',
  description:
    'The picture shows the whole screen. The live page follows it within a fraction of a second, with the last acts drawn in. It is reachable only from this machine, under an unguessable address, and ends with the session or the daemon. On a private desktop a person can take over there. Viewing does not count as using the session.',
  input: z
    .object({
      name: optionalText('Session. Default: that of this call.'),
      path: optionalText('PNG file to write; missing folders are created. Default: ./session-NAME-TIME.png.'),
      live: flag('Return the address of a page that shows it live instead.'),
      timeout_ms: timeout(10_000),
    })
    .refine(...excludes('path', 'live')),
  positionals: ['name'],
  output: z.object({
    name: z.string(),
    display: z.string().optional(),
    path: picturePath,
    width: z.int().positive().optional(),
    height: z.int().positive().optional(),
    bytes: z.int().nonnegative().optional().describe('Size of the file.'),
    url: z
      .string()
      .optional()
      .describe(`With ${mentionParameter('live')}: the page.`),
  }),
  examples: [
    { about: 'The screen of this call’s session', input: {} },
    { about: 'Another session, to a file', input: { name: 'worker', path: 'worker.png' } },
    { about: 'Watch a session in a browser', input: { name: 'worker', live: true }, format: 'text' },
  ],
  outline: ({ name, display, path, width, height, url }) => {
    const place = display === undefined ? '' : ` on ${display}`;
    return url === undefined
      ? `${path ?? 'picture'} ${width}x${height} of ${name}${place}`
      : `${url} shows ${name}${place}`;
  },
  text: ({ path, url }) => url ?? path ?? '',
  run: async (ctx, input) => {
    const name = (input.name ?? ctx.session).toLowerCase();
    const { environment } = ctx;
    if (input.live) {
      const { url, display } = await ctx.sessions.livePage(name, {
        environment,
        mayControl: ctx.isForModel !== true,
      });
      return { name, ...(display === undefined ? {} : { display }), url };
    }
    const file = input.path ?? `session-${name}-${timeName(ctx.calledAt)}.png`;
    const path = pictureFile(ctx, file);
    const { bytes, width, height, display } = await ctx.sessions.picture(name, {
      environment,
      ...callLimits(ctx, input),
    });
    return {
      name,
      ...(display === undefined ? {} : { display }),
      width,
      height,
      ...(await deliverPicture(ctx, path, { mimeType: 'image/png', bytes })),
    };
  },
});
