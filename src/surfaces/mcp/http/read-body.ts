import type { IncomingMessage } from 'node:http';
import { parseGivenJson, TOO_DEEP } from '../../../model/given-json.ts';
import { isJsonContentType } from '../sdk.ts';
import { PARSE_ERROR, refuse } from './answer.ts';

/** A client reads the answer only after sending, so this much of a too long body is read and discarded. */
const DISCARD_FACTOR = 4;

/** The parsed body, or a refusal. @throws Error if the client disconnects meanwhile, or is too slow */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<{ readonly value: unknown } | Response> {
  const { headers } = request;
  if (!isJsonContentType(headers['content-type']))
    return refuse({
      status: 415,
      message: 'The body must be JSON. Send "Content-Type: application/json".',
    });
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return refuse({
      status: 415,
      message: 'Compressed bodies are not supported. Send the body uncompressed.',
    });
  const bytes = await readBytes(request, limitBytes);
  if (bytes === undefined) {
    const message = `The body is longer than ${limitBytes} bytes. Send less data per request.`;
    return refuse({ status: 413, message, headers: { Connection: 'close' } });
  }
  try {
    const value = parseGivenJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { value };
  } catch (error) {
    const isDeep = error instanceof Error && error.message === TOO_DEEP;
    const message = isDeep
      ? `The body cannot be used: ${TOO_DEEP}.`
      : 'The body is not JSON in UTF-8. Send one JSON-RPC 2.0 message.';
    return refuse({ status: 400, code: PARSE_ERROR, message });
  }
}

/** `undefined` if the body is too long. */
async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > limitBytes * DISCARD_FACTOR) return undefined;
  let pieces: Buffer[] = [];
  let received = 0;
  const all: AsyncIterable<Buffer> = request;
  for await (const piece of all) {
    received += piece.length;
    if (received <= limitBytes) pieces.push(piece);
    else pieces = [];
    if (received > limitBytes * DISCARD_FACTOR) break;
  }
  return received > limitBytes ? undefined : Buffer.concat(pieces);
}
