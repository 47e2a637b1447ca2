import type { ClientCalls } from '../tools/client-calls.ts';
import { markApplicationText } from '../tools/application-text.ts';

type Input = Readonly<Record<string, unknown>>;

/** Longest side of the picture in pixels; models shrink larger ones. */
const LARGEST_PIXELS = 1568;
const QUALITY = 80;
const TREE_TOKENS = 2000;

/** What is to be described: a window as a picture and as text. */
export interface Scene {
  readonly picture: { readonly mimeType: string; readonly data: string };
  /** Its elements with their references, marked as text from an application. */
  readonly elements: string;
}

/** Takes the picture right after reading, so that both show the same. @throws DeskterityError */
export async function lookAt(
  calls: ClientCalls,
  where: { readonly app?: string | undefined; readonly window?: string | undefined },
  signal: AbortSignal,
): Promise<Scene> {
  const ask = (command: string, input: Input) =>
    calls.answer(command, { ...where, ...input }, { form: 'outline', signal });
  const { outline } = await ask('snapshot', { max_tokens: TREE_TOKENS });
  const { pictures } = await ask('screenshot', { format: 'jpg', quality: QUALITY, max_size: LARGEST_PIXELS });
  const [picture] = pictures;
  if (picture === undefined) throw new Error('a screenshot without a picture');
  const { mimeType, bytes } = picture;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { picture: { mimeType, data }, elements: markApplicationText(outline) };
}
