import { readChunks } from '../../image/png.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { MAX_CLIPBOARD_BYTES } from '../../ports/clipboard.ts';
import type { ClipboardContent, ClipboardPort, ClipboardWrite } from '../../ports/clipboard.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ClipboardReceipt } from '../requests/acting.ts';

const LONE_SURROGATE = /\p{Cs}/u;

/** Writes to the clipboard and reads it back as another program would. @throws DeskterityError ACTION_FAILED if it then holds something else */
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
  if (!found.equals(bytes)) throw replaced('The clipboard now holds something else.');
  return { ...done, effect: 'confirmed', evidence: ['the same content was read back from the display'] };
}

/** Clears the clipboard. A clipboard manager may restore its copy; the effect reports that. */
export async function clearClipboard(
  clipboard: ClipboardPort,
  request: CallOptions,
): Promise<ClipboardReceipt> {
  await clipboard.clear(request);
  const { names } = await clipboard.formats(request);
  return names.length === 0
    ? { effect: 'confirmed', evidence: ['the clipboard is empty'], formats: [], bytes: 0 }
    : {
        effect: 'unverified',
        evidence: ['another program has filled the clipboard again'],
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
      `The content is larger than the clipboard limit of ${MAX_CLIPBOARD_BYTES / 1_048_576} MiB.`,
      'Use a file instead.',
    );
  if (content.kind === 'image') {
    const [header] = readChunks(content.png);
    if (header?.type !== 'IHDR')
      throw invalid('The PNG file does not begin with its header.', 'Save the image again.');
  } else if (LONE_SURROGATE.test(content.text)) {
    throw invalid('The text contains a lone surrogate (half a character).', 'Use valid Unicode.');
  } else if (content.text.endsWith('\0')) {
    throw invalid('The text ends with a NUL character, which readers drop.', 'Remove it.');
  }
}

function replaced(why: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `Another program replaced the clipboard content immediately. ${why}`,
    {
      suggestion: 'Check for a clipboard manager that does this, then repeat the command.',
      retryable: true,
      delivered: true,
      result: { effect: 'no_op' },
    },
  );
}

function invalid(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion, delivered: false });
}
