import type { Readable } from 'node:stream';

/** One line of a stream, or why it cannot be read. */
export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly message: string; readonly suggestion: string };

const LINE_FEED = 0x0a;

/**
 * The non-blank lines of a stream, without line breaks. Reading continues only after the previous line has been handled. A line
 * over `limitBytes` is not stored.
 */
export async function* linesOf(stream: Readable, limitBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  // Skips the rest of a line that was refused.
  let isSkipping = false;
  for await (const chunk of stream) {
    const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(LINE_FEED, start);
      const end = found === -1 ? bytes.length : found;
      if (!isSkipping) {
        length += end - start;
        isSkipping = length > limitBytes;
        if (isSkipping) {
          parts = [];
          yield tooLong(limitBytes);
        } else parts.push(bytes.subarray(start, end));
      }
      if (found !== -1) {
        if (!isSkipping) yield* decoded(parts);
        [parts, length, isSkipping] = [[], 0, false];
      }
      start = end + 1;
    }
  }
  if (!isSkipping) yield* decoded(parts);
}

function* decoded(parts: readonly Uint8Array[]): Generator<Line> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    if (text.trim() !== '') yield { kind: 'text', text };
  } catch {
    yield {
      kind: 'unreadable',
      message: 'The line is not UTF-8.',
      suggestion: 'Write each line as JSON in UTF-8.',
    };
  }
}

function tooLong(limitBytes: number): Line {
  return {
    kind: 'unreadable',
    message: `The line is longer than ${limitBytes} bytes.`,
    suggestion: 'Write one JSON object per line, each ended by a line feed.',
  };
}
