import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import type { TcpConnection } from '../../../../src/model/sessions/tcp-connection.ts';
import { initialize, JSON_HEADERS, useHttpLab } from './support.ts';

const lab = useHttpLab();

/** Sends one request, and says by which port. */
function send(agent: Agent, headers: Readonly<Record<string, string>> = JSON_HEADERS) {
  return new Promise<{ status: number; port: number | undefined }>((resolve, reject) => {
    let port: number | undefined;
    const sent = request(lab().url, { method: 'POST', headers, agent }, (answer) => {
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0, port }));
    });
    sent.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => (port = socket.localPort));
      else port = socket.localPort;
    });
    sent.once('error', reject).end(initialize());
  });
}

test('each connection is told of once, before its first request is handled', async () => {
  const met: TcpConnection[] = [];
  const order: string[] = [];
  await lab().start({
    onPeer: async (connection) => {
      met.push(connection);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`met ${lab().opened.length}`);
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await send(agent, { ...JSON_HEADERS, connection: 'keep-alive' });
  const second = await send(agent, { ...JSON_HEADERS, connection: 'keep-alive' });
  agent.destroy();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(new Set([first.port, second.port]).size).toBe(met.length);
  expect(met[0]).toMatchObject({ remoteAddress: '127.0.0.1', remotePort: first.port });
  expect(order[0]).toBe('met 0');
});

test('one that is refused is not told of', async () => {
  const met: TcpConnection[] = [];
  await lab().start({ token: 'x'.repeat(40), onPeer: async (connection) => void met.push(connection) });
  const agent = new Agent();
  expect((await send(agent)).status).toBe(401);
  agent.destroy();
  expect(met).toEqual([]);
});
