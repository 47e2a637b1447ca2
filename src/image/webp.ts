import { byPerson, mentionCommand, mentionParameter } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { requireImage, type RawImage } from './raw-image.ts';
import type sharp from 'sharp';

/** The limit of the format. */
const LONGEST_SIDE = 16_383;

/**
 * Loads an encoder for WebP files from the package `sharp`, which is not bundled because of its 20 MB of native libraries.
 * @param quality 1 to 100
 * @throws DeskterityError ACTION_NOT_SUPPORTED if it is not installed; the encoder throws INVALID_ARGUMENT for images that are too large
 */
export async function webpEncoder(
  quality: number,
  load: () => Promise<Sharp> = loadSharp,
): Promise<(image: RawImage) => Promise<Uint8Array>> {
  const sharp = await load().catch((error: unknown) => {
    throw missing(error);
  });
  return async (image) => {
    requireImage(image);
    const { width, height } = image;
    if (Math.max(width, height) > LONGEST_SIDE)
      throw new DeskterityError(
        'INVALID_ARGUMENT',
        `WebP pictures have at most ${LONGEST_SIDE} pixels a side; this one has ${width}x${height}.`,
        { suggestion: `Use ${mentionParameter('max_size')}, or ${mentionParameter('format', 'png')}.` },
      );
    return sharp(rgbOf(image), { raw: { width, height, channels: 3 } })
      .webp({ quality })
      .toBuffer();
  };
}

function rgbOf({ bgrx, width, height }: RawImage): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < bgrx.length; from += 4, to += 3) {
    rgb[to] = bgrx[from + 2] ?? 0;
    rgb[to + 1] = bgrx[from + 1] ?? 0;
    rgb[to + 2] = bgrx[from] ?? 0;
  }
  return rgb;
}

/** Node resolves it from Deskterity's folder, so it must be installed beside Deskterity. */
function missing(cause: unknown): DeskterityError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  // Said of an import and of a require; the code would also be that of a package that sharp needs.
  const isAbsent = /^Cannot find (?:package|module) 'sharp'/.test(detail);
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    isAbsent
      ? 'WebP pictures need the npm package "sharp", which is not installed.'
      : 'WebP pictures need the npm package "sharp", which is installed but does not start.',
    {
      suggestion: `${byPerson(`Install it where deskterity is installed (npm install sharp; add --global if deskterity was installed globally), then run ${mentionCommand('daemon restart')}`)}; or use ${mentionParameter('format', 'png')}.`,
      delivered: false,
      platformDetail: detail.slice(0, 500),
      cause,
    },
  );
}

export type Sharp = typeof sharp;

/** Loads npm `sharp`, which exists only if the user has installed it. Rejects if it cannot be loaded. */
async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  return library;
}
