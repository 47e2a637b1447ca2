import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { callersFolder } from '../model/configuration/callers-folder.ts';
import type { CommandContext, Picture } from './definition.ts';

type Delivery = Pick<CommandContext, 'attach' | 'cwd' | 'files'>;

/** Where a command has put its picture. */
export const picturePath = z
  .string()
  .optional()
  .describe('The file written; absent if the answer contains the picture itself.');

/** An absolute path; a relative one is relative to the caller's folder. @throws DeskterityError if that is gone */
export function callersPath({ cwd }: Pick<CommandContext, 'cwd'>, file: string): string {
  return isAbsolute(file) ? file : resolve(callersFolder(cwd), file);
}

/** The file for a picture; `undefined` if the surface shows pictures. */
export function pictureFile(ctx: Delivery, file: string): string | undefined {
  return ctx.attach === undefined ? callersPath(ctx, file) : undefined;
}

/** Writes a picture to its file, or adds it to the answer if there is none. Returns the fields of the answer. */
export async function deliverPicture(
  { attach, files }: Delivery,
  path: string | undefined,
  picture: Picture,
): Promise<{ path?: string; bytes: number }> {
  const bytes = picture.bytes.byteLength;
  if (path !== undefined) {
    await files.writeAtomic(path, picture.bytes, { mode: 0o600 });
    return { path, bytes };
  }
  attach?.(picture);
  return { bytes };
}

/** UTC time for a file name: 20260131-235959-123. */
export function timeName(time: Date): string {
  return time.toISOString().replaceAll(/[-:Z]/g, '').replace('T', '-').replace('.', '-');
}
