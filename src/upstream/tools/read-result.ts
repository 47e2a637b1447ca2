import { isRecord } from '../../model/is-record.ts';
import { clip, quoteClipped, revealLines } from '../../model/text/untrusted-text.ts';
import type { ServerPicture } from '../../ports/upstream/servers.ts';
import { redact, redactIn } from '../../model/redaction/secret-texts.ts';

const LARGEST_PICTURE_BYTES = 5 * 1024 * 1024;
const MOST_PICTURES = 8;
const MOST_BLOCKS = 2000;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** A result of a tool, as far as it can be shown. */
export interface ReadResult {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  readonly pictures: readonly ServerPicture[];
  /** As phrases. */
  readonly leftOut: readonly string[];
  readonly isError: boolean;
}

/** Why an answer is not the result of a tool, as a phrase. */
export interface NoResult {
  readonly mistake: string;
}

/** Reads a result: texts joined, pictures apart. `result` may have any form; parts that cannot be shown are named. */
export function readResult(data: unknown, secrets: readonly string[]): ReadResult | NoResult {
  if (!isRecord(data)) return { mistake: 'it is not an object' };
  const { content, isError } = data;
  const mistake = mistakeIn(data);
  if (mistake !== undefined) return { mistake };
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts: string[] = [];
  const pictures: ServerPicture[] = [];
  const leftOut: string[] = [];
  for (const block of blocks.slice(0, MOST_BLOCKS)) {
    if (!isRecord(block)) {
      leftOut.push('a part that is not an object');
      continue;
    }
    const text = textOf(block);
    if (text !== undefined) texts.push(text);
    else {
      const picture = pictures.length < MOST_PICTURES ? pictureOf(block) : undefined;
      if (picture === undefined) leftOut.push(describe(block));
      else pictures.push(picture);
    }
  }
  if (blocks.length > MOST_BLOCKS) leftOut.push(`${blocks.length - MOST_BLOCKS} more parts`);
  const structured = redactIn(data['structuredContent'], secrets);
  if (structured !== undefined && !isRecord(structured))
    leftOut.push('structured content that is not an object');
  return {
    text: revealLines(redact(texts.join('\n'), secrets)),
    structured: isRecord(structured) ? structured : undefined,
    pictures,
    leftOut: leftOut.length > 10 ? [...leftOut.slice(0, 10), `${leftOut.length - 10} more parts`] : leftOut,
    // Whatever it is meant to be, it is not success.
    isError: isError !== undefined && isError !== null && isError !== false,
  };
}

function mistakeIn({ content, structuredContent }: Readonly<Record<string, unknown>>): string | undefined {
  if (content !== undefined && !Array.isArray(content)) return 'content is not a list';
  return content === undefined && structuredContent === undefined
    ? 'it has neither content nor structuredContent'
    : undefined;
}

function textOf(block: Readonly<Record<string, unknown>>): string | undefined {
  const { type, text, resource, uri, name } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'resource' && isRecord(resource) && typeof resource['text'] === 'string')
    return `${typeof resource['uri'] === 'string' ? `${clip(resource['uri'], 500)}:\n` : ''}${resource['text']}`;
  if (type === 'resource_link' && typeof uri === 'string')
    return `${typeof name === 'string' ? `${clip(name, 200)}: ` : ''}${clip(uri, 2000)}`;
  return undefined;
}

function pictureOf({ type, mimeType, data }: Readonly<Record<string, unknown>>): ServerPicture | undefined {
  if (type !== 'image' || typeof data !== 'string') return undefined;
  if (mimeType !== 'image/png' && mimeType !== 'image/jpeg' && mimeType !== 'image/webp') return undefined;
  if (data.length > LARGEST_PICTURE_BYTES * 1.34 || !BASE64.test(data)) return undefined;
  return { mimeType, bytes: Buffer.from(data, 'base64') };
}

function describe({ type, mimeType, data }: Readonly<Record<string, unknown>>): string {
  const kind = typeof type === 'string' ? quoteClipped(type, 20) : 'unknown';
  const media = typeof mimeType === 'string' ? ` (${quoteClipped(mimeType, 40)})` : '';
  const size = typeof data === 'string' ? ` of ${Math.round(data.length * 0.75)} bytes` : '';
  return `a part of type ${kind}${media}${size}`;
}
