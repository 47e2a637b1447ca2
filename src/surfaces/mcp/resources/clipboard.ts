import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import type { Unwatch } from '../connections/connection.ts';
import type { RunCommand, Contents } from './run-command.ts';

const Offered = z.object({ has_image: z.boolean(), formats: z.array(z.string()) });
/** Programs may change the clipboard in quick succession; that is reported as one change. */
const DEBOUNCE_MS = 100;

/** The text if there is one, else the picture: if both are offered, the picture shows the text. @throws DeskterityError */
export async function clipboardContents(run: RunCommand): Promise<Contents> {
  const { output } = await run('clipboard has-image', {});
  const offered = Offered.parse(output);
  // Even if no text format is listed: old programs may not list one.
  const text = await unlessEmpty(run('clipboard get', { kind: 'text' }));
  if (text !== undefined) return { data: { ...text.output, ...offered } };
  const image = offered.has_image ? await unlessEmpty(run('clipboard get', { kind: 'image' })) : undefined;
  if (image !== undefined)
    return { data: { ...image.output, ...offered }, picture: image.pictures[0]?.bytes };
  return { data: { kind: offered.formats.length === 0 ? 'empty' : 'other', ...offered } };
}

/** Reports changes without reading the content, which some programs provide only once. @throws DeskterityError */
export async function watchClipboard(calls: ClientCalls, onChange: () => void): Promise<Unwatch> {
  let timer: NodeJS.Timeout | undefined;
  const end = await calls.watch({ clipboard: true }, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, DEBOUNCE_MS);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** A retryable CLIPBOARD_EMPTY, after the owner exited, is not a result: the clipboard may have a new owner. */
async function unlessEmpty<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'CLIPBOARD_EMPTY' && !error.retryable)
      return undefined;
    throw error;
  }
}
