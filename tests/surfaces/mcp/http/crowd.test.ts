import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();
/** A busy machine may need longer for what it does at last. */
const BUSY = { timeout: 10_000 };

test('fifty concurrent clients of both eras each receive their own answers', async () => {
  await lab().start();
  const heard = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { client, transport } = await lab().client(index % 2 === 0 ? 'legacy' : 'modern');
      const texts: unknown[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const text = `${index}-${turn}`;
        const { content } = await client.callTool({ name: 'echo', arguments: { text } });
        texts.push(content);
      }
      await transport.terminateSession();
      await client.close();
      return texts;
    }),
  );
  expect(heard).toEqual(
    Array.from({ length: 50 }, (_, index) =>
      Array.from({ length: 5 }, (__, turn) => [{ type: 'text', text: `${index}-${turn}` }]),
    ),
  );
  // A session for each of the 25, one for all the others.
  expect(lab().connections).toHaveLength(26);
  await vi.waitFor(() => expect(lab().serving.clients).toBe(0), BUSY);
  await vi.waitFor(
    () => expect(lab().connections.filter(({ closings }) => closings === 1)).toHaveLength(25),
    BUSY,
  );
});

test('both eras are served on one path, even on one socket', async () => {
  await lab().start();
  const session = await begin();
  const { client } = await lab().client('modern');
  await client.listTools();
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  const answer = await raw(lab().url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'mcp-session-id': session },
    body: ping,
  });
  expect(answer.text).toContain('"result":{}');
  expect(lab().opened.toSorted()).toEqual(['principal', 'session']);
});

test.each([
  ['leaves more unread than may wait', { unreadBytes: 1024 * 1024, stalledMs: 60_000 }],
  ['takes nothing for long', { unreadBytes: 1024 * 1024 * 1024, stalledMs: 200 }],
])('a client that %s is disconnected while others are served', async (_, limits) => {
  await lab().start({ limits });
  const session = await begin();
  const socket = await dial();
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  // More than the system keeps for a socket.
  socket.write(talk(session, 320));
  const { client } = await lab().client('modern');
  expect((await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).content).toEqual([
    { type: 'text', text: 'hi' },
  ]);
  // Longer than it may take nothing. Only whoever reads hears of the end.
  setTimeout(() => socket.resume(), 600);
  await closed;
  expect(socket.bytesRead).toBeLessThan(30_000_000);
});

test('connections over the limit are closed, others are served', async () => {
  await lab().start({ limits: { connections: 2 } });
  const [one, two] = [await dial(), await dial()];
  await expect(raw(lab().url)).rejects.toThrow(/hang up|ECONNRESET/);
  one.destroy();
  await vi.waitFor(async () => expect((await raw(lab().url)).status).toBe(400), BUSY);
  two.destroy();
});

test('a client that reads slowly receives everything', async () => {
  // Each pause is far shorter than the limit, all of them together are longer.
  await lab().start({ limits: { stalledMs: 2000 } });
  const begun = performance.now();
  const session = await begin();
  const socket = await dial();
  socket.write(talk(session, 120));
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  let end = '';
  let read = 0;
  socket.on('data', (piece: Buffer) => {
    end = (end + piece.toString()).slice(-500);
    read += piece.length;
    if (read < 500_000) return;
    read = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 100);
  });
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeGreaterThan(12_000_000);
  expect(performance.now() - begun).toBeGreaterThan(2000);
  expect(end).toContain('"said"');
});

async function begin(): Promise<string> {
  const { headers } = await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body: initialize() });
  return String(headers['mcp-session-id']);
}

/** A call that says so often 100 kB before it is answered. */
function talk(session: string, steps: number): string {
  const params = { name: 'talk', arguments: { steps, bytes: 100_000 }, _meta: { progressToken: 1 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    ...Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Mcp-Session-Id: ${session}`,
    `Content-Length: ${body.length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function dial(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(lab().url).port), '127.0.0.1', () => resolve(socket));
    socket.pause();
    socket.on('error', reject);
  });
}
