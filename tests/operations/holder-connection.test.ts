import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { waitForEnd } from '../../src/operations/wait-for-end.ts';
import { HolderConnection } from '../../src/operations/holder/holder-connection.ts';
import { FrameReader } from '../../src/wire/frames.ts';
import { encodeFromHolder, toHolder } from '../../src/wire/holder-protocol.ts';
import type { FromHolder, ToHolder } from '../../src/wire/holder-protocol.ts';
import type { OperationRequest } from '../../src/ports/operations.ts';
import type { OperationView } from '../../src/ports/operations.ts';
import { isCollected } from '../collected.ts';
import { inFolder } from './support/streams.ts';

/** Runs with a connection to somebody who answers as a holder would. */
async function connected(
  answer: (frame: ToHolder) => FromHolder | undefined,
  body: (connection: HolderConnection) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      const reader = new FrameReader(toHolder);
      socket.on('data', (piece) => {
        for (const frame of reader.push(piece)) {
          const said = frame.type === 'hello' ? ({ type: 'welcome', pid: 1 } as const) : answer(frame);
          if (said !== undefined) socket.write(encodeFromHolder(said));
        }
      });
    });
    const path = join(folder, 's');
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    try {
      const connection = await HolderConnection.open(path, 'token');
      if (connection === undefined) throw new Error('nobody listens');
      await body(connection);
      connection.end();
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
}

function requestOf(bytes: number): OperationRequest {
  const confinement = {
    by: 'none',
    scope: '/',
    read: [],
    write: [],
    network: false,
    unixSockets: false,
    denyReport: false,
  } as const;
  const environment = { BIG: 'x'.repeat(bytes) };
  return {
    tool: 't',
    steps: [{ command: ['true'], cwd: '/', environment, confinement }],
    scope: '/',
    session: 's',
    output: 'merged',
    budgetBytes: 100,
  };
}

const RUNNING: OperationView = {
  format: 1,
  operation_id: 'op-aaaaaa',
  tool: 't',
  status: 'running',
  steps: [],
  cwd: '/',
  scope: '/',
  sandbox: 'none',
  session: 's',
  started_at: '2026-01-01T00:00:00.000Z',
  output: 'merged',
  budget_bytes: 100,
  holder: { socket: 's', pid: 1, start_time: '1', boot_id: 'b' },
  written: {},
};

describe('a connection to a holder', () => {
  it('refuses oversized calls, and is usable afterwards', async () => {
    await connected(
      (frame) => (frame.type === 'cancel' ? { type: 'done', id: frame.id } : undefined),
      async (connection) => {
        const request = requestOf(33 * 1024 * 1024);
        await expect(connection.call({ type: 'start', request })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          delivered: false,
        });
        // Nothing waits for an answer that will never come, so that it can be given up when nobody needs it.
        expect(connection.isUsed).toBe(false);
        expect(await connection.call({ type: 'cancel', operation: 'op-aaaaaa' })).toMatchObject({
          type: 'done',
        });
      },
    );
  });

  it('that ends reports that pending calls may have been carried out', async () => {
    await connected(
      () => undefined,
      async (connection) => {
        const call = connection.call({ type: 'cancel', operation: 'op-aaaaaa' });
        setTimeout(() => connection.end(), 20);
        await expect(call).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE', delivered: true });
        expect(connection.isUsed).toBe(false);
        await expect(connection.call({ type: 'cancel', operation: 'op-aaaaaa' })).rejects.toMatchObject({
          delivered: false,
        });
      },
    );
  });

  it('that is silent ends every wait, says what may happen later, and serves the next call once it is heard', async () => {
    let isSuspended = true;
    await connected(
      (frame) => {
        if (isSuspended || !('id' in frame)) return undefined;
        return { type: 'done', id: frame.id };
      },
      async (connection) => {
        const calls = [
          connection.call({ type: 'cancel', operation: 'op-aaaaaa' }),
          connection.request({ do: 'facts', terminal: 't' }),
        ];
        const reasons = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
        expect(reasons).toMatchObject([
          { code: 'TIMEOUT', delivered: true, suggestion: expect.stringContaining('kill -CONT 1') },
          { code: 'TIMEOUT', delivered: false, retryable: true },
        ]);
        expect(connection.isUsed).toBe(false);
        isSuspended = false;
        await expect(connection.call({ type: 'cancel', operation: 'op-aaaaaa' })).resolves.toBeDefined();
      },
    );
  }, 10_000);

  it('whose work takes long is waited for', async () => {
    await connected(
      (frame) => (frame.type === 'ping' ? { type: 'done', id: frame.id } : undefined),
      async (connection) => {
        const call = connection.call({ type: 'cancel', operation: 'op-aaaaaa' });
        const isOver = call.then(
          () => true,
          () => true,
        );
        expect(await Promise.race([isOver, sleep(6000, false)])).toBe(false);
      },
    );
  }, 10_000);

  it('tells those who listen, and nobody else, when it closes', async () => {
    await connected(
      () => undefined,
      async (connection) => {
        const told: string[] = [];
        connection.onClose(() => told.push('listener'));
        connection.onClose(() => told.push('stopped'))();
        connection.end();
        await connection.closed;
        connection.onClose(() => told.push('late'));
        expect(told).toEqual(['listener', 'late']);
      },
    );
  });

  it('keeps nothing of those who waited for an operation', async () => {
    await connected(
      () => undefined,
      async (connection) => {
        const records = { stateFolder: '/nowhere', view: async () => RUNNING };
        const wait = async (): Promise<WeakRef<object>> => {
          const { signal } = new AbortController();
          await waitForEnd(records, { find: async () => connection }, RUNNING.operation_id, {
            timeoutMs: 0,
            signal,
          });
          return new WeakRef(signal);
        };
        const signal = await wait();
        expect(await isCollected(signal)).toBe(true);
        expect([connection.isOpen, connection.isUsed]).toEqual([true, false]);
      },
    );
  });

  it('that accepts connections and does not greet is told from none', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 's');
      expect(await HolderConnection.open(path, 'token')).toBeUndefined();
      const sockets: Socket[] = [];
      const server = createServer((socket) => void sockets.push(socket));
      await new Promise<void>((resolve) => void server.listen(path, resolve));
      await expect(HolderConnection.open(path, 'token')).rejects.toMatchObject({
        code: 'TIMEOUT',
        delivered: false,
      });
      for (const socket of sockets) socket.destroy();
      server.close();
    });
  }, 10_000);
});
