/** Documents of an authorization server are a few kilobytes. */
const LONGEST_BYTES = 256 * 1024;
const ANSWER_MS = 5000;

/** A JSON document; `undefined` if there is none (404). @throws Error for any other answer, one that is too long or too late, and a redirect */
export async function boundedJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    // Another address could be one that only this machine can reach.
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  try {
    if (response.status === 404) return undefined;
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    const pieces: Uint8Array[] = [];
    let received = 0;
    for await (const piece of response.body) {
      received += piece.length;
      if (received > LONGEST_BYTES) throw new Error('too long');
      pieces.push(piece);
    }
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    return value;
  } finally {
    await response.body?.cancel().catch(() => undefined);
  }
}
