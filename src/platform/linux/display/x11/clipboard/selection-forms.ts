import type { ClipboardContent } from '../../../../../ports/clipboard.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { emptyClipboard, invalidClipboard, isPng, unicodeText, withoutNul } from '../../clipboard-content.ts';
import { decodeCompoundText, numbersOf } from '../properties.ts';
import type { AtomName } from '../atoms.ts';
import type { SelectionClient } from './selection-client.ts';
import type { SelectionForms } from './selection-owner.ts';
import type { SelectionReader } from './selection-reader.ts';

/** An owner may list any number of targets. */
const MAX_TARGETS = 100;

/** In the order in which they are requested: those that specify the character set first. */
export const TEXT_TARGETS = [
  'UTF8_STRING',
  'text/plain;charset=utf-8',
  'TEXT',
  'COMPOUND_TEXT',
  'STRING',
  'text/plain',
] as const satisfies readonly AtomName[];

const BEYOND_LATIN_1 = /[^\t\n\u{20}-\u{7E}\u{A0}-\u{FF}]/u;

/** The forms in which content is offered. STRING is Latin-1 and is omitted if that would change the text. */
export function formsOf(content: ClipboardContent): SelectionForms {
  if (content.kind === 'image') return new Map([['image/png', Buffer.from(content.png)]]);
  const utf8 = Buffer.from(content.text, 'utf8');
  const forms = new Map<AtomName, Buffer>([
    ['UTF8_STRING', utf8],
    ['text/plain;charset=utf-8', utf8],
  ]);
  if (!BEYOND_LATIN_1.test(content.text)) forms.set('STRING', Buffer.from(content.text, 'latin1'));
  return forms;
}

/** The text in selection data of a type; `undefined` if it is not a text type. */
function decodeSelection(type: string, data: Buffer): string | undefined {
  const text = decode(type, data);
  return text === undefined ? undefined : withoutNul(text);
}

function decode(type: string, data: Buffer): string | undefined {
  if (type === 'STRING') return data.toString('latin1');
  if (type === 'COMPOUND_TEXT') return decodeCompoundText(data);
  if (type === 'UTF8_STRING' || type === 'TEXT' || /^text\/plain(?:;|$)/i.test(type))
    return unicodeText(data);
  return undefined;
}

/** The targets that the owner offers; `undefined` if it does not list them. */
export async function targetsOf(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<number[] | undefined> {
  const reply = await reader.convert(client.wire.atom('TARGETS'), options);
  if (reply === undefined || reply.format !== 32) return undefined;
  return numbersOf({ ...reply, bytesAfter: 0 }).slice(0, MAX_TARGETS);
}

/** @throws DeskterityError CLIPBOARD_EMPTY, ACTION_FAILED */
export async function readText(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<ClipboardContent> {
  // An old owner may not support TARGETS but still have text.
  const targets = await targetsOf(client, reader, options);
  const offered = TEXT_TARGETS.filter(
    (name) => targets === undefined || targets.includes(client.wire.atom(name)),
  );
  let isInvalid = false;
  for (const name of offered) {
    const reply = await reader.convert(client.wire.atom(name), options);
    if (reply === undefined) continue;
    const type = (await client.wire.atomName(reply.type)) ?? '';
    const text = reply.format === 8 ? decodeSelection(type, reply.data) : undefined;
    if (text !== undefined && text !== '') return { kind: 'text', text };
    isInvalid ||= text === undefined;
  }
  if (isInvalid) throw invalidClipboard('text');
  throw emptyClipboard('The clipboard contains no text.');
}

/** @throws DeskterityError CLIPBOARD_EMPTY, ACTION_FAILED */
export async function readImage(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<ClipboardContent> {
  const reply = await reader.convert(client.wire.atom('image/png'), options);
  if (reply === undefined) throw emptyClipboard('The clipboard contains no PNG image.');
  if (reply.format !== 8 || !isPng(reply.data)) throw invalidClipboard('a PNG image');
  return { kind: 'image', png: reply.data };
}
