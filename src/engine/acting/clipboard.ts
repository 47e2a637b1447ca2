import { readChunks } from '../../image/png.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { MAX_CLIPBOARD_BYTES } from '../../ports/clipboard.ts';
import type { ClipboardContent, ClipboardPort, ClipboardWrite } from '../../ports/clipboard.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { ClipboardReceipt } from '../requests/acting.ts';

const LONE_SURROGATE = /\p{Cs}/u;

/** Puts something on the clipboard and reads it back, as another program would. @throws DeskterityError ACTION_FAILED when something else is there then */
export async function writeClipboard(
  clipboard: ClipboardPort,
  request: ClipboardWrite,
): Promise<ClipboardReceipt> {
  const { content } = request;
  const bytes = bytesOf(content);
  requireFit(content, bytes);
  const formats = await clipboard.write(request);
  const done = { formats, bytes: bytes.length };
  let found: Buffer;
  try {
    found = bytesOf(await clipboard.read(content.kind, request));
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    if (error.code !== 'CLIPBOARD_EMPTY')
      return { ...done, effect: 'unverified', evidence: [`it could not be read back: ${error.message}`] };
    throw replaced(error.message);
  }
  if (!found.equals(bytes)) throw replaced('It holds something else now.');
  return { ...done, effect: 'confirmed', evidence: ['read back from the display, and it is the same'] };
}

/** Empties the clipboard. A clipboard manager may put back what it remembers, which the effect then says. */
export async function clearClipboard(
  clipboard: ClipboardPort,
  request: CallOptions,
): Promise<ClipboardReceipt> {
  await clipboard.clear(request);
  const { names } = await clipboard.formats(request);
  return names.length === 0
    ? { effect: 'confirmed', evidence: ['nothing is on it now'], formats: [], bytes: 0 }
    : {
        effect: 'unverified',
        evidence: ['another program has put something on it since'],
        formats: names,
        bytes: 0,
      };
}

function bytesOf(content: ClipboardContent): Buffer {
  return content.kind === 'text' ? Buffer.from(content.text, 'utf8') : Buffer.from(content.png);
}

function requireFit(content: ClipboardContent, bytes: Buffer): void {
  if (bytes.length > MAX_CLIPBOARD_BYTES)
    throw invalid(
      `That is more than the ${MAX_CLIPBOARD_BYTES / 1_048_576} MiB that a clipboard is given.`,
      'Give it in a file.',
    );
  if (content.kind === 'image') {
    const [header] = readChunks(content.png);
    if (header?.type !== 'IHDR')
      throw invalid('The PNG file does not begin with its header.', 'Save it anew.');
  } else if (LONE_SURROGATE.test(content.text)) {
    throw invalid('The text has half a character in it (a lone surrogate).', 'Give it in valid Unicode.');
  } else if (content.text.endsWith('\0')) {
    throw invalid('The text ends with a NUL character, which readers take for its end.', 'Leave it out.');
  }
}

function replaced(why: string): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `Another program took the clipboard at once. ${why}`, {
    suggestion: 'Look for a clipboard manager that does so, and repeat the command.',
    retryable: true,
    delivered: true,
    result: { effect: 'no_op' },
  });
}

function invalid(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion, delivered: false });
}
