import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Batch, CallTemplate } from '../../../../src/platform/linux/dbus/index.ts';
import { echo, NUMBER, PATIENT } from './support/echo.ts';
import { Fixture } from './support/fixture.ts';

const fixture = new Fixture();
const pair = fixture.pair.bind(fixture);

afterEach(async () => await fixture.end());

const SETTLED = { timedOut: false, cancelled: false, outstanding: 0 };

/** Makes requests and records the outcome of each. */
function ask(batch: Batch, count: number): string[] {
  const answers: string[] = [];
  for (let index = 0; index < count; index++) {
    batch.request(NUMBER, `/n${index}`, (error, value) => answers.push(error?.errorName ?? String(value)));
  }
  return answers;
}

describe('a batch', () => {
  it('settles immediately without requests', async () => {
    const { connection } = await pair(echo);
    expect(await connection.batch(PATIENT).settled).toEqual(SETTLED);
  });

  it('settles only after requests made in handlers have completed', async () => {
    const { connection } = await pair(echo);
    const batch = connection.batch(PATIENT);
    const paths: string[] = [];
    const visit = (path: string, depth: number): void => {
      batch.request(NUMBER, path, () => {
        paths.push(path);
        if (depth < 6) for (const child of ['a', 'b']) visit(`${path}/${child}`, depth + 1);
      });
    };
    visit('/r', 1);
    expect(await batch.settled).toEqual(SETTLED);
    expect(paths).toHaveLength(63);
    expect(batch.sent).toBe(63);
  });

  it('stays open between waves until its end is awaited', async () => {
    const { connection } = await pair(echo);
    const batch = connection.batch(PATIENT);
    const first = ask(batch, 3);
    await expect.poll(() => first.length).toBe(3);
    const second = ask(batch, 2);
    expect(await batch.settled).toEqual(SETTLED);
    expect(second).toEqual(['7', '7']);
    expect(ask(batch, 1)).toEqual(['local.Cancelled']);
  });

  it('carries 100,000 requests', async () => {
    let mostAtOnce = 0;
    const unanswered = new Set<number>();
    const { connection } = await pair((message, socket) => {
      unanswered.add(message.serial);
      mostAtOnce = Math.max(mostAtOnce, unanswered.size);
      setImmediate(() => {
        unanswered.delete(message.serial);
        echo(message, socket);
      });
    });
    const batch = connection.batch({ deadlineMs: 60_000 });
    const answers = ask(batch, 100_000);
    expect(await batch.settled).toEqual(SETTLED);
    expect(answers).toHaveLength(100_000);
    expect(answers.every((answer) => answer === '7')).toBe(true);
    expect(mostAtOnce).toBeLessThanOrEqual(1024);
  }, 60_000);

  it('sends requests in order', async () => {
    const { peer, connection } = await pair(echo);
    const batch = connection.batch(PATIENT);
    ask(batch, 3000);
    await batch.settled;
    expect(peer.messages.map(({ fields }) => fields.path)).toEqual(
      Array.from({ length: 3000 }, (_, index) => `/n${index}`),
    );
  });

  it('passes errors to the handlers, including that of a bad path', async () => {
    const { connection } = await pair(echo);
    const wrong = new CallTemplate({
      interface: 'a.b',
      member: 'C',
      signature: 's',
      args: ['x'],
      accepts: ['u'],
      decode: (reader) => reader.readUint32(),
    });
    const batch = connection.batch(PATIENT);
    const answers: (string | undefined)[] = [];
    batch.request(wrong, '/a', (error, _value) => answers.push(error?.errorName));
    batch.request(NUMBER, 'bad', (error, _value) => answers.push(error?.errorName));
    expect(await batch.settled).toEqual(SETTLED);
    expect(answers).toEqual(['local.Protocol', 'local.UnexpectedSignature']);
  });

  it('stops and rejects with the error that a handler threw', async () => {
    const { connection } = await pair(echo);
    const batch = connection.batch(PATIENT);
    batch.request(NUMBER, '/a', () => {
      throw new Error('mine');
    });
    const others = ask(batch, 2);
    await expect(batch.settled).rejects.toThrow('mine');
    expect(others).toEqual(['local.Cancelled', 'local.Cancelled']);
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });
});

describe('a batch that runs out of time', () => {
  it('fails outstanding requests, sent or not, and later ones', async () => {
    const { peer, connection } = await pair(() => {});
    const batch = connection.batch({ deadlineMs: 80 });
    const answers = ask(batch, 5000);
    const startedAt = performance.now();
    expect(await batch.settled).toEqual({ timedOut: true, cancelled: false, outstanding: 5000 });
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect(new Set(answers)).toEqual(new Set(['local.Timeout']));
    expect(answers).toHaveLength(5000);
    expect(ask(batch, 1)).toEqual(['local.Timeout']);
    // The peer runs in this process and may not have had its turn yet.
    await vi.waitFor(() => expect(peer.messages.length).toBe(1024), { timeout: 5000 });
  });

  it('ends even if a handler makes a new request after every failure', async () => {
    const { connection } = await pair(() => {});
    const batch = connection.batch({ deadlineMs: 30 });
    const errors: string[] = [];
    const again = (left: number): void =>
      batch.request(NUMBER, '/a', (error, _value) => {
        errors.push(error?.errorName ?? '');
        if (left > 0) again(left - 1);
      });
    again(50);
    expect((await batch.settled).outstanding).toBe(1);
    expect(errors).toHaveLength(51);
  });

  it('is cancelled by its signal', async () => {
    const { connection } = await pair(() => {});
    const abort = new AbortController();
    const batch = connection.batch({ ...PATIENT, signal: abort.signal });
    const answers = ask(batch, 2);
    abort.abort();
    expect(await batch.settled).toEqual({ timedOut: false, cancelled: true, outstanding: 2 });
    expect(answers).toEqual(['local.Cancelled', 'local.Cancelled']);
    const spent = connection.batch({ ...PATIENT, signal: abort.signal });
    expect(ask(spent, 1)).toEqual(['local.Cancelled']);
    expect(await spent.settled).toEqual({ timedOut: false, cancelled: true, outstanding: 0 });
  });

  it('does not affect other destinations', async () => {
    const { connection } = await pair((message, socket) => {
      if (message.fields.interface === 'test.Echo') echo(message, socket);
    });
    const frozen = new CallTemplate({
      destination: 'frozen.app',
      interface: 'a.b',
      member: 'C',
      accepts: [''],
      decode: () => {},
    });
    const batch = connection.batch({ deadlineMs: 300 });
    for (let index = 0; index < 3000; index++) batch.request(frozen, '/a', () => {});
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
    expect((await batch.settled).outstanding).toBe(3000);
  });

  it('frees its places in the queue', async () => {
    let frozen = true;
    const { connection } = await pair((message, socket) => {
      if (!frozen) echo(message, socket);
    });
    const first = connection.batch({ deadlineMs: 30 });
    ask(first, 2000);
    await first.settled;
    frozen = false;
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });
});

describe('a batch whose connection ends', () => {
  it('fails its requests, and those of later batches', async () => {
    const { connection } = await pair(() => {});
    const batch = connection.batch(PATIENT);
    const answers = ask(batch, 2000);
    connection.close();
    expect(await batch.settled).toEqual(SETTLED);
    expect(answers).toHaveLength(2000);
    expect(new Set(answers)).toEqual(new Set(['local.Disconnected']));
    const next = connection.batch(PATIENT);
    expect(ask(next, 1)).toEqual(['local.Disconnected']);
    expect(await next.settled).toEqual(SETTLED);
  });

  it('may close the connection from a handler', async () => {
    const { connection } = await pair(echo);
    const batch = connection.batch(PATIENT);
    batch.request(NUMBER, '/a', () => connection.close());
    const others = ask(batch, 2);
    await batch.settled;
    expect(others).toEqual(['local.Disconnected', 'local.Disconnected']);
  });
});
