import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SessionEvents } from '../../../../src/surfaces/mcp/http/session-events.ts';
import type { JSONRPCMessage } from '../../../../src/surfaces/mcp/sdk.ts';

const GET_STREAM = '_GET_stream';
const ROOMY = { keptMessages: 1000, keptBytes: 1_000_000 };

function message(count: number): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { count } };
}

async function replayed(events: SessionEvents, after: string): Promise<readonly unknown[]> {
  const sent: unknown[] = [];
  await events.replayEventsAfter(after, {
    send: async (_, { ...message }) =>
      void sent.push('params' in message ? message.params?.['count'] : message),
  });
  return sent;
}

test('a stream is resumed with its own later events, in order', async () => {
  const events = new SessionEvents(ROOMY);
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1)
    ids.push(await events.storeEvent(count % 2 === 0 ? GET_STREAM : 'other', message(count)));
  expect(new Set(ids).size).toBe(10);
  expect(await replayed(events, ids[2] ?? '')).toEqual([4, 6, 8]);
  expect(await replayed(events, ids[3] ?? '')).toEqual([5, 7, 9]);
  expect(await replayed(events, ids[8] ?? '')).toEqual([]);
});

test('an event that only carries an id is not replayed', async () => {
  const events = new SessionEvents(ROOMY);
  const first = await events.storeEvent('stream', message(1));
  // The library stores it so.
  await events.storeEvent('stream', JSON.parse('{}') as JSONRPCMessage);
  await events.storeEvent('stream', message(2));
  expect(await replayed(events, first)).toEqual([2]);
});

describe('a stream that cannot be resumed', () => {
  test.each([
    '',
    'garbage',
    '_',
    '_1',
    'stream_',
    'stream_-1',
    'stream_1e9',
    `${GET_STREAM}_999`,
    'unknown_0',
    'stream_9',
  ])('has the invalid event id %j', async (id) => {
    const events = new SessionEvents(ROOMY);
    await events.storeEvent('stream', message(1));
    expect(events.canResume(id)).toBe(false);
  });

  test.each([
    ['messages', { keptMessages: 2, keptBytes: 1_000_000 }],
    ['bytes', { keptMessages: 1000, keptBytes: 2 * JSON.stringify(message(1)).length }],
  ])('has lost an event to the limit of %s', async (_, budget) => {
    const events = new SessionEvents(budget);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await events.storeEvent('stream', message(count)));
    expect(ids.map((id) => events.canResume(id))).toEqual([false, true, true, true]);
    expect(await replayed(events, ids[1] ?? '')).toEqual([2, 3]);
  });

  test('is not a quiet one while others lose their events', async () => {
    const events = new SessionEvents({ ...ROOMY, keptMessages: 2 });
    const here = events.currentId;
    const quiet = await events.storeEvent(GET_STREAM, message(1));
    for (let count = 0; count < 10; count += 1) await events.storeEvent(`stream${count}`, message(count));
    expect(events.canResume(here)).toBe(false);
    expect(events.canResume(quiet)).toBe(true);
    await events.storeEvent(GET_STREAM, message(2));
    expect(await replayed(events, quiet)).toEqual([2]);
  });

  test('has a single message over the limit', async () => {
    const events = new SessionEvents({ ...ROOMY, keptBytes: 10 });
    const here = events.currentId;
    await events.storeEvent(GET_STREAM, message(1));
    expect(events.canResume(here)).toBe(false);
    expect(events.canResume(events.currentId)).toBe(true);
  });
});

test('whatever is stored, a resumable stream delivers exactly the later events', async () => {
  const stored = array(record({ stream: constantFrom(GET_STREAM, 'a', 'b'), size: nat(40) }), {
    maxLength: 40,
  });
  await assert(
    asyncProperty(stored, nat(8), integer({ min: 100, max: 1000 }), async (all, keptMessages, keptBytes) => {
      const events = new SessionEvents({ keptMessages, keptBytes });
      const ids: string[] = [];
      for (const [count, { stream, size }] of all.entries()) {
        const padded = { ...message(count), params: { count, pad: 'x'.repeat(size) } };
        ids.push(await events.storeEvent(stream, padded));
      }
      for (const [index, id] of ids.entries()) {
        if (!events.canResume(id)) continue;
        const after = [...all.keys()].filter(
          (other) => other > index && all[other]?.stream === all[index]?.stream,
        );
        expect(await replayed(events, id)).toEqual(after);
      }
    }),
    { seed: 4, numRuns: 300 },
  );
});
