import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { Bounds } from '../model/bounds.ts';
import { callersFolder } from '../model/callers-folder.ts';
import { quote } from '../model/untrusted-text.ts';
import { App, defineCommand, Target, flag, timeout, WindowSelector } from '../registry/define.ts';
import type { CommandContext } from '../registry/define.ts';

const Format = z.enum(['png', 'jpg']);

export default defineCommand({
  name: 'screenshot',
  group: 'observation',
  kind: 'read',
  title: 'Take a picture',
  toolsets: ['core'],
  needs: ['capture'],
  pictureFile: 'path',
  summary: 'Save a picture of the screen, a window or an element.',
  description:
    'Without --screen, --app, --window and --element the active window is taken. "origin" is the screen position of the first pixel and "scale" the number of image pixels per screen pixel, ' +
    'so that a point in the picture can be found on the screen. --annotate numbers the elements that can be used and lists them in "labels".',
  input: z
    .object({
      path: z
        .string()
        .min(1)
        .optional()
        .describe('File to write; ./screenshot-TIME.png when not given. Folders are created.'),
      screen: flag('The whole screen.'),
      app: App.optional(),
      window: WindowSelector.optional(),
      element: Target.describe('Only this element (@e7, or a locator).').optional(),
      format: Format.optional().describe(
        'Picture format; taken from the file name when not given, else png.',
      ),
      quality: z.int().min(1).max(100).default(80).describe('JPEG quality; ignored for png.'),
      annotate: flag('Draw a numbered box around each element that can be used.'),
      timeout_ms: timeout(10_000),
    })
    .refine(({ screen, app, window, element }) => !(screen && (app ?? window ?? element) !== undefined), {
      path: ['screen'],
      error: 'cannot be combined with --app, --window or --element',
    })
    .refine(({ app, window, element }) => element === undefined || (app ?? window) === undefined, {
      path: ['element'],
      error: 'names its window already; leave out --app and --window',
    }),
  positionals: ['path'],
  output: z.object({
    path: z
      .string()
      .optional()
      .describe('The file that was written; absent where the picture itself is in the answer.'),
    format: Format,
    width: z.int().positive(),
    height: z.int().positive(),
    origin: z.object({ x: z.int(), y: z.int() }),
    scale: z.number().positive(),
    bytes: z.int().nonnegative().describe('Size of the file.'),
    labels: z
      .array(z.object({ ref: z.string(), role: z.string(), name: z.string().optional(), bounds: Bounds }))
      .optional()
      .describe(
        'With --annotate: what each box in the picture stands for; bounds in physical screen pixels.',
      ),
  }),
  examples: [
    { about: 'The active window, to a file of a generated name', input: {} },
    {
      about: 'One window with numbered elements',
      input: { path: 'window.png', window: '@w2', annotate: true },
    },
    { about: 'The whole screen as a small JPEG', input: { path: 'screen.jpg', screen: true, quality: 60 } },
    { about: 'One element', input: { path: 'button.png', element: '@e7' } },
  ],
  outline: (output) => {
    const lines = [
      `${output.path ?? 'picture'} ${output.width}x${output.height} at ${output.origin.x},${output.origin.y} scale ${output.scale}`,
    ];
    for (const label of output.labels ?? []) {
      lines.push(`  ${label.ref} ${label.role}${label.name === undefined ? '' : ` ${quote(label.name)}`}`);
    }
    return lines.join('\n');
  },
  text: ({ path }) => path ?? '',
  run: async (ctx, input) => {
    const format = input.format ?? (/\.jpe?g$/i.test(input.path ?? '') ? 'jpg' : 'png');
    const path = pictureFile(ctx, input.path ?? `screenshot-${timeName(ctx.calledAt)}.${format}`);
    const engine = await ctx.engine();
    const image = await engine.screenshot({
      app: input.app,
      window: input.window,
      element: input.element,
      screen: input.screen,
      annotate: input.annotate,
      format,
      quality: input.quality,
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
    if (path === undefined)
      ctx.attach?.({ mimeType: format === 'jpg' ? 'image/jpeg' : 'image/png', bytes: image.bytes });
    else await ctx.files.writeAtomic(path, image.bytes, { mode: 0o600 });
    const { width, height, origin, scale, labels } = image;
    const size = { width, height, origin: { ...origin }, scale, bytes: image.bytes.byteLength };
    const place = path === undefined ? {} : { path };
    return { ...place, format, ...size, ...(input.annotate ? { labels: [...labels] } : {}) };
  },
});

/** Absolute; `undefined` where the picture is part of the answer. */
function pictureFile(
  { attach, cwd }: Pick<CommandContext, 'attach' | 'cwd'>,
  file: string,
): string | undefined {
  if (attach !== undefined) return undefined;
  return isAbsolute(file) ? file : resolve(callersFolder(cwd), file);
}

/** UTC time as a file name can carry it: 20260131-235959-123. */
function timeName(time: Date): string {
  return time.toISOString().replaceAll(/[-:Z]/g, '').replace('T', '-').replace('.', '-');
}
