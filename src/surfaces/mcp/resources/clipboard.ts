import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { DeskCalls } from '../tools/desk-calls.ts';
import type { Unwatch } from '../connections/connection.ts';
import type { Ask, Contents } from './ask.ts';

const Offered = z.object({ has_image: z.boolean(), formats: z.array(z.string()) });
/** Programs may take the clipboard from each other as often as they like; it is told of as one change. */
const REST_MS = 100;

/** The text where there is one, else the picture: what has both has a picture of the text. @throws DeskterityError */
export async function clipboardContents(ask: Ask): Promise<Contents> {
  const { output } = await ask('clipboard has-image', {});
  const offered = Offered.parse(output);
  // Also where no text is named: an old program may not know how to.
  const text = await orNothing(ask('clipboard get', { kind: 'text' }));
  if (text !== undefined) return { data: { ...text.output, ...offered } };
  const image = offered.has_image ? await orNothing(ask('clipboard get', { kind: 'image' })) : undefined;
  if (image !== undefined)
    return { data: { ...image.output, ...offered }, picture: image.pictures[0]?.bytes };
  return { data: { kind: offered.formats.length === 0 ? 'empty' : 'other', ...offered } };
}

/** Tells of changes without reading what is there, which would use up what a program gives only once. @throws DeskterityError */
export async function watchClipboard(calls: DeskCalls, onChange: () => void): Promise<Unwatch> {
  let timer: NodeJS.Timeout | undefined;
  const end = await calls.watch({ clipboard: true }, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, REST_MS);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** An owner that ended meanwhile is no answer: something else may be there by now. */
async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'CLIPBOARD_EMPTY' && !error.retryable)
      return undefined;
    throw error;
  }
}
