import type { ClipboardContent } from '../../../../../ports/clipboard.ts';
import { decodeCompoundText } from '../properties.ts';
import type { SelectionAtom } from './selection-client.ts';
import type { SelectionForms } from './selection-owner.ts';

/** In the order in which they are requested: those that specify the character set first. */
export const TEXT_TARGETS = [
  'UTF8_STRING',
  'text/plain;charset=utf-8',
  'TEXT',
  'COMPOUND_TEXT',
  'STRING',
  'text/plain',
] as const satisfies readonly SelectionAtom[];

const BEYOND_LATIN_1 = /[^\t\n\u{20}-\u{7E}\u{A0}-\u{FF}]/u;

/** The forms in which content is offered. STRING is Latin-1 and is omitted if that would change the text. */
export function formsOf(content: ClipboardContent): SelectionForms {
  if (content.kind === 'image') return new Map([['image/png', Buffer.from(content.png)]]);
  const utf8 = Buffer.from(content.text, 'utf8');
  const forms = new Map<SelectionAtom, Buffer>([
    ['UTF8_STRING', utf8],
    ['text/plain;charset=utf-8', utf8],
  ]);
  if (!BEYOND_LATIN_1.test(content.text)) forms.set('STRING', Buffer.from(content.text, 'latin1'));
  return forms;
}

/** The text in selection data of a type; `undefined` if it is not a text type. */
export function decodeSelection(type: string, data: Buffer): string | undefined {
  // Some owners include the terminating NUL.
  return decode(type, data)?.replace(/\0+$/, '');
}

function decode(type: string, data: Buffer): string | undefined {
  if (type === 'STRING') return data.toString('latin1');
  if (type === 'COMPOUND_TEXT') return decodeCompoundText(data);
  if (type === 'UTF8_STRING' || type === 'TEXT' || /^text\/plain(?:;|$)/i.test(type)) return unicode(data);
  return undefined;
}

/** Some owners send Latin-1 instead. */
function unicode(data: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return data.toString('latin1');
  }
}
