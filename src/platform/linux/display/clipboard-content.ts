import { DeskterityError } from '../../../model/effects/errors.ts';
import { mentionCommand } from '../../../model/text/mention.ts';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function isPng(data: Uint8Array): boolean {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    .subarray(0, PNG_SIGNATURE.length)
    .equals(PNG_SIGNATURE);
}

/** Text that should be UTF-8; some owners send Latin-1 instead. */
export function unicodeText(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return Buffer.from(data).toString('latin1');
  }
}

/** Some owners include the terminating NUL. */
export function withoutNul(text: string): string {
  return text.replace(/\0+$/, '');
}

export function emptyClipboard(message: string): DeskterityError {
  return new DeskterityError('CLIPBOARD_EMPTY', message, {
    suggestion: `Copy something first; ${mentionCommand('clipboard has-image')} shows what is there.`,
  });
}

/** @param what that the owner offers: `text` */
export function invalidClipboard(what: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The owner of the clipboard offers ${what} but sends something else.`,
    { suggestion: 'Copy again in that application.' },
  );
}
