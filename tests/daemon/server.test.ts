import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeClientFrame } from '../../src/wire/daemon-protocol.ts';
import { LARGEST_FRAME_BYTES } from '../../src/wire/frames.ts';
import { dailyLogFile } from '../../src/platform/paths.ts';
import { envelope, isAlive, useLab, versionOf, type RawClient } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();

/** The daemon still answers other clients. */
async function answers(): Promise<void> {
  expect(envelope(await lab().desk(['version'])).ok).toBe(true);
  expect(lab().daemons()).toHaveLength(1);
}

async function refused(client: RawClient): Promise<void> {
  expect(await client.frame('refused')).toMatchObject({ code: 'INVALID_ARGUMENT' });
  await until(() => client.isClosed, 'the connection is closed');
}

const HUGE = Buffer.alloc(LARGEST_FRAME_BYTES + 1, '{"type":"stop","x":"');

describe('a client that sends', () => {
  it.each([
    ['a web request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a huge frame', HUGE],
    ['zeros', Buffer.alloc(64)],
    ['no object', Buffer.from('[]\n')],
    ['a command before hello', encodeClientFrame({ type: 'stop' })],
  ])('%s is refused without affecting others', async (_, bytes) => {
    const version = await versionOf(lab());
    const pid = lab().daemonPid;
    const client = await lab().raw();
    client.socket.write(bytes);
    await refused(client);
    const second = await lab().raw();
    second.hello(version);
    second.socket.write(bytes.length === 64 ? bytes : HUGE);
    await refused(second);
    await answers();
    expect(lab().daemonPid).toBe(pid);
  });

  it('half a frame is given up after ten seconds; complete ones are answered meanwhile', async () => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    client.send({ type: 'ask' });
    await client.frame('self');
    client.socket.write('{"ty');
    const silent = await lab().raw();
    await answers();
    expect(client.isClosed).toBe(false);
    await until(() => client.isClosed && silent.isClosed, 'both are closed', 15_000);
  }, 40_000);

  it('one byte at a time does not extend the ten seconds, and costs nobody else', async () => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    client.send({ type: 'ask' });
    await client.frame('self');
    client.socket.write('{');
    const drip = setInterval(() => client.socket.write('"'), 500);
    try {
      await answers();
      await until(() => client.isClosed, 'it is closed', 15_000);
    } finally {
      clearInterval(drip);
    }
    await answers();
    expect(client.isClosed).toBe(true);
  }, 40_000);

  it('a duplicate id or a second hello is refused', async () => {
    const version = await versionOf(lab());
    const call = { type: 'execute', id: 1, session: 's', command: 'wait', input: { ms: 5000 } } as const;
    const client = await lab().raw();
    client.hello(version);
    client.send(call);
    client.send(call);
    await refused(client);
    const other = await lab().raw();
    other.hello(version);
    other.hello(version);
    await refused(other);
    expect(other.isClosed).toBe(true);
    await answers();
  });

  it('too many calls gets a refusal, and the others are answered', async () => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    for (let id = 0; id < 300; id++)
      client.send({ type: 'execute', id, session: 's', command: 'version', input: {} });
    await until(() => client.frames.length === 300, 'every call has its answer');
    const kinds = client.frames.map(({ type }) => type);
    expect(kinds.filter((type) => type === 'answer').length).toBeGreaterThanOrEqual(256);
    await answers();
    client.end();
  });

  it('and never reads is disconnected', async () => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    client.socket.pause();
    // The name of an unknown command is returned whole: answers of a megabyte each.
    const command = 'x'.repeat(1_000_000);
    for (let id = 0; id < 100; id++) client.send({ type: 'execute', id, session: 's', command, input: {} });
    const log = () => readFileSync(dailyLogFile({ HOME: join(lab().folder, 'home') }, new Date()), 'utf8');
    await until(() => log().includes('it does not read its answers'), 'it is dropped', 20_000);
    await answers();
    expect(log()).toContain('client dropped');
    client.end();
  }, 40_000);

  it('more than it reads for a while eventually gets everything', async () => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    client.socket.pause();
    const command = 'x'.repeat(1_000_000);
    for (let id = 0; id < 20; id++) client.send({ type: 'execute', id, session: 's', command, input: {} });
    // It is not disconnected while it does not read.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    client.socket.resume();
    await until(() => client.frames.length === 20, 'all answers', 20_000);
    expect(client.frames.every(({ type }) => type === 'answer')).toBe(true);
    client.end();
  }, 40_000);
});

describe('a client of another version', () => {
  const hello = async () => {
    const client = await lab().raw();
    client.hello('9.9.9+other');
    return client;
  };

  it('is told so instead of an answer and can make an idle daemon exit', async () => {
    await versionOf(lab());
    const pid = lab().daemonPid ?? 0;
    const client = await hello();
    client.send({ type: 'execute', id: 1, session: 's', command: 'version', input: {} });
    expect(await client.frame('skew')).toMatchObject({ pid, isIdle: true });
    expect(client.frames.map(({ type }) => type)).toEqual(['skew']);
    client.send({ type: 'retire' });
    await client.frame('leaving');
    await until(() => !isAlive(pid), 'it has left');
  });

  it('cannot make a busy one exit but can stop it', async () => {
    const version = await versionOf(lab());
    const pid = lab().daemonPid ?? 0;
    const worker = await lab().raw();
    worker.hello(version);
    worker.send({ type: 'execute', id: 1, session: 's', command: 'wait', input: { ms: 20_000 } });
    const client = await hello();
    client.send({ type: 'retire' });
    await until(() => client.frames.length === 2, 'an answer to retire');
    expect(client.frames[1]).toMatchObject({ type: 'skew', isIdle: false, why: '1 call' });
    expect(isAlive(pid)).toBe(true);
    client.send({ type: 'stop' });
    expect(await worker.frame('answer')).toMatchObject({ exitCode: 1 });
    await until(() => !isAlive(pid), 'it has left');
  });
});
