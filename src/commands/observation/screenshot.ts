import { mentionParameter, onCommandLine } from '../../model/text/mention.ts';
import { extname } from 'node:path';
import { z } from 'zod';
import { Bounds } from '../../model/tree/bounds.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { PICTURE_CONSENTS, type PictureConsent } from '../../model/effects/picture-consent.ts';
import { blanksPasswords } from '../../model/redaction/blanks-passwords.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import {
  defineCommand,
  Target,
  flag,
  LARGEST_PIXEL,
  timeout,
  optionalText,
  callLimits,
  excludes,
  deliverPicture,
  pictureFile,
  picturePath,
  timeName,
  windowScope,
} from '../../registry/define.ts';

const Format = z.enum(['png', 'jpg', 'webp']);
type Format = z.output<typeof Format>;

const MIME_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
const EXTENSIONS: ReadonlyMap<string, Format> = new Map([
  ['', 'png'],
  ['.png', 'png'],
  ['.jpg', 'jpg'],
  ['.jpeg', 'jpg'],
  ['.webp', 'webp'],
]);

export default defineCommand({
  name: 'screenshot',
  group: 'observation',
  kind: 'read',
  title: 'Take a screenshot',
  toolsets: ['core'],
  needs: ['capture'],
  pictureFile: 'path',
  summary: 'Take a picture of the screen, a window or an element.',
  description:
    'Default: the active window. A window or element is captured as if nothing covered it. ' +
    'A point in the picture is at origin + point / scale on the screen.',
  input: z
    .object({
      path: optionalText('File to write; missing folders are created. Default: ./screenshot-TIME.png.'),
      screen: flag('The whole screen.'),
      monitor: z.int().min(0).max(63).optional().describe('One monitor, counted from 0.'),
      ...windowScope,
      element: Target.describe('Only this element.').optional(),
      region: z
        .string()
        .refine((text) => parseRegion(text) !== undefined, {
          error: 'must be X,Y,WIDTH,HEIGHT in whole screen pixels, such as 0,40,800,600',
        })
        .optional()
        .describe('Part of the screen: X,Y,WIDTH,HEIGHT in pixels.'),
      format: Format.optional().describe(
        `Default: ${onCommandLine('that of the file’s extension, else ')}png.`,
      ),
      quality: z.int().min(1).max(100).default(80).describe('For jpg and webp.'),
      scale: z.number().min(0.1).max(1).optional().describe('From 0.1 to 1.'),
      max_size: z.int().min(16).max(LARGEST_PIXEL).optional().describe('Longest side in pixels.'),
      annotate: flag('Box each usable element and show its reference.'),
      consent: z
        .enum(PICTURE_CONSENTS)
        .optional()
        .describe('Through the desktop portal, which may ask the user, or not. Default: the setting.'),
      timeout_ms: timeout(10_000),
    })
    .refine(...excludes('screen', 'app', 'window', 'element'))
    .refine(...excludes('element', 'app', 'window'))
    .refine(...excludes('monitor', 'screen', 'app', 'window', 'element'))
    .refine(...excludes('region', 'screen', 'monitor', 'app', 'window', 'element')),
  positionals: ['path'],
  output: z.object({
    path: picturePath,
    format: Format,
    width: z.int().positive(),
    height: z.int().positive(),
    origin: z
      .object({ x: z.number(), y: z.number() })
      .describe('Where it begins on the screen; between two pixels of it if the scale is not whole.'),
    scale: z.number().positive(),
    clipped: z
      .literal(true)
      .optional()
      .describe('Part of the requested area is off screen and missing from the picture.'),
    bytes: z.int().nonnegative().describe('Size of the file.'),
    blanked: z.int().positive().optional().describe('How many password fields are blanked in the picture.'),
    unchecked: z
      .array(z.string())
      .optional()
      .describe('Titles of windows in the picture that could not be searched for password fields.'),
    labels: z
      .array(z.object({ ref: z.string(), role: z.string(), name: z.string().optional(), bounds: Bounds }))
      .optional()
      .describe(
        `With ${mentionParameter('annotate')}: the element of each box in the picture; bounds in physical screen pixels.`,
      ),
  }),
  examples: [
    { about: 'The active window, to a file with a generated name', input: {} },
    {
      about: 'One window with labelled elements',
      input: { path: 'window.png', window: '@w2', annotate: true },
    },
    { about: 'The whole screen as a small JPEG', input: { path: 'screen.jpg', screen: true, quality: 60 } },
    { about: 'One element', input: { path: 'button.png', element: '@e7' } },
    {
      about: 'A part of the screen, at most 800 pixels wide or high',
      input: { path: 'part.png', region: '0,40,1600,900', max_size: 800 },
    },
  ],
  outline: (output) => {
    const lines = [
      `${output.path ?? 'picture'} ${output.width}x${output.height} at ${output.origin.x},${output.origin.y} scale ${output.scale}` +
        (output.clipped === true ? ' (the rest is not on the screen)' : ''),
    ];
    if (output.blanked !== undefined)
      lines.push(`  ${output.blanked} password ${output.blanked === 1 ? 'field' : 'fields'} blanked`);
    if (output.unchecked !== undefined)
      lines.push(`  may show password fields: ${output.unchecked.map((title) => quote(title)).join(', ')}`);
    for (const label of output.labels ?? []) {
      lines.push(`  ${label.ref} ${label.role}${label.name === undefined ? '' : ` ${quote(label.name)}`}`);
    }
    return lines.join('\n');
  },
  text: ({ path }) => path ?? '',
  run: async (ctx, input) => {
    const format = input.format ?? formatOf(input.path);
    const path = pictureFile(ctx, input.path ?? `screenshot-${timeName(ctx.calledAt)}.${format}`);
    const engine = await ctx.engine({ targets: [input.element, input.window] });
    const image = await engine.screenshot({
      app: input.app,
      window: input.window,
      element: input.element,
      region: input.region === undefined ? undefined : parseRegion(input.region),
      screen: input.screen,
      monitor: input.monitor,
      annotate: input.annotate,
      format,
      quality: input.quality,
      scale: input.scale,
      maxSize: input.max_size,
      showsPasswords: !blanksPasswords(ctx.configuration),
      consent: consentOf(input.consent, ctx.pictureConsent),
      debounceMs: ctx.configuration.values.screenshot.debounce_ms,
      ...callLimits(ctx, input),
    });
    const { width, height, origin, scale, labels, clipped, blanked, unread } = image;
    return {
      ...(await deliverPicture(ctx, path, { mimeType: MIME_TYPES[format], bytes: image.bytes })),
      format,
      width,
      height,
      origin: { x: toHundredths(origin.x), y: toHundredths(origin.y) },
      scale,
      ...(clipped ? { clipped } : {}),
      ...(blanked === 0 ? {} : { blanked }),
      ...(unread.length === 0 ? {} : { unchecked: [...unread] }),
      ...(input.annotate ? { labels: [...labels] } : {}),
    };
  },
});

/** @throws DeskterityError POLICY_DENIED for a call that wants less than the user's file */
function consentOf(asked: PictureConsent | undefined, setting: PictureConsent = 'auto'): PictureConsent {
  if (setting !== 'portal' || asked === undefined || asked === 'portal') return asked ?? setting;
  throw new DeskterityError(
    'POLICY_DENIED',
    'The setting screenshot.consent is portal: pictures are taken only through the desktop portal.',
    { suggestion: `Leave out ${mentionParameter('consent')}.`, delivered: false },
  );
}

/** `undefined` unless the text is a rectangle of pixels. */
function parseRegion(text: string): Bounds | undefined {
  const [, ...numbers] = /^(-?\d{1,5}),(-?\d{1,5}),(\d{1,5}),(\d{1,5})$/.exec(text) ?? [];
  const [x, y, width, height] = numbers.map(Number);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  const isFitting = Math.max(Math.abs(x), Math.abs(y), width, height) <= LARGEST_PIXEL;
  return isFitting && width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** The format for a file name's extension, png without one. @throws DeskterityError INVALID_ARGUMENT */
function formatOf(file = ''): Format {
  const extension = extname(file);
  const format = EXTENSIONS.get(extension.toLowerCase());
  if (format !== undefined) return format;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `Pictures cannot be saved as ${JSON.stringify(extension.slice(0, 20))}.`,
    {
      suggestion: `Use a file name that ends in .png, .jpg or .webp, or set ${mentionParameter('format')}.`,
      delivered: false,
    },
  );
}

function toHundredths(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
