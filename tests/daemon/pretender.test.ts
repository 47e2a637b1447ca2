import { describe, expect, it } from 'vitest';
import { encodeClientFrame } from '../../src/wire/daemon-protocol.ts';
import { usePretender } from './pretender.ts';
import { envelope, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();
const { pretend, seen } = usePretender(lab);

const executed = () => seen.filter(({ type }) => type === 'execute').length;

describe('a lost answer', () => {
  it('of an act is not requested again: it may have been carried out', async () => {
    await pretend((frame, reply) => frame.type === 'execute' && reply.hangUp());
    const ran = await lab().desk(['click', '@e1']);
    expect(ran.exitCode).toBe(11);
    expect(envelope(ran)).toMatchObject({
      ok: false,
      command: 'click',
      error: {
        code: 'DAEMON_UNAVAILABLE',
        delivered: true,
        suggestion: expect.stringContaining('desk snapshot'),
      },
    });
    expect(executed()).toBe(1);
  });

  it('of a read is requested once more, from the current daemon', async () => {
    await pretend((frame, reply) => frame.type === 'execute' && reply.leave());
    expect(envelope(await lab().desk(['wait', '10']))).toMatchObject({ ok: true, command: 'wait' });
    expect(executed()).toBe(1);
  });

  it('during shutdown means that nothing was run: even an act is repeated', async () => {
    await pretend((frame, reply) => {
      if (frame.type !== 'execute') return;
      reply.say({ type: 'late', id: frame.id });
      reply.leave();
    });
    const ran = await lab().desk(['set-value', 'nonsense', 'x']);
    expect(envelope(ran)).toMatchObject({ command: 'set-value', error: { code: 'INVALID_ARGUMENT' } });
  });
});

describe('a daemon of another version', () => {
  const skew = { type: 'skew', version: '0.0.1+old', pid: 4242 } as const;

  it('that is idle is replaced silently', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'hello') reply.say({ ...skew, isIdle: true });
      if (frame.type === 'retire') reply.leave();
    });
    const ran = await lab().desk(['click', 'nonsense']);
    expect(envelope(ran)).toMatchObject({ command: 'click', error: { code: 'INVALID_ARGUMENT' } });
    expect(lab().daemons()).toHaveLength(1);
  });

  it.each([[true], [false]])('that is busy is explained (immediately: %j)', async (atOnce) => {
    await pretend((frame, reply) => {
      if (frame.type === 'hello') reply.say({ ...skew, isIdle: !atOnce, why: '1 private desktop' });
      if (frame.type === 'retire') reply.say({ ...skew, isIdle: false, why: '1 private desktop' });
    });
    const ran = await lab().desk(['version']);
    expect(ran.exitCode).toBe(11);
    const { error } = envelope(ran);
    expect(error).toMatchObject({ code: 'DAEMON_UNAVAILABLE', delivered: false });
    expect(error?.message).toContain('0.0.1+old');
    expect(error?.message).toContain('1 private desktop');
    expect(error?.suggestion).toContain('desk daemon restart');
    expect(error?.suggestion).toContain('--no-daemon');
  });

  it('with only active calls is waited for', async () => {
    let asked = 0;
    await pretend((frame, reply) => {
      if (frame.type === 'hello') reply.say({ ...skew, isIdle: false, why: '2 calls' });
      if (frame.type !== 'retire') return;
      asked += 1;
      if (asked === 3) reply.leave();
      else reply.say({ ...skew, isIdle: false, why: '1 call' });
    });
    const ran = await lab().desk(['click', 'nonsense']);
    expect(envelope(ran)).toMatchObject({ command: 'click', error: { code: 'INVALID_ARGUMENT' } });
    expect(asked).toBe(3);
  });

  it('whose calls do not end can be retried later', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'hello' || frame.type === 'retire')
        reply.say({ ...skew, isIdle: false, why: '1 call' });
    });
    const { error } = envelope(await lab().desk(['version']));
    expect(error).toMatchObject({ code: 'DAEMON_UNAVAILABLE', delivered: false, retryable: true });
    expect(seen.filter(({ type }) => type === 'retire').length).toBeGreaterThan(3);
  });
});

describe('a daemon that violates the protocol', () => {
  it.each([
    ['no frame', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a frame of clients', encodeClientFrame({ type: 'stop' })],
  ])('%s is not an answer', async (_, bytes) => {
    await pretend((frame, reply) => frame.type === 'execute' && reply.sayBytes(bytes));
    const ran = await lab().desk(['version']);
    expect(ran.exitCode).toBe(11);
    expect(envelope(ran).error).toMatchObject({
      code: 'DAEMON_UNAVAILABLE',
      message: 'The running daemon uses a different protocol; it is unknown whether version was performed.',
      delivered: true,
      suggestion: expect.stringContaining('desk daemon stop --force'),
    });
    expect(executed()).toBe(1);
  });
});

it('a call carries its caller, and nothing of that comes back', async () => {
  await pretend((frame, reply) => {
    if (frame.type === 'execute')
      reply.say({ type: 'answer', id: frame.id, exitCode: 7, stdout: 'out\n', stderr: 'err\n' });
  });
  const ran = await lab().desk(['version', '--session', 'mine', '--format', 'text'], { MY_OWN: 'x' });
  expect(ran).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n' });
  expect(seen).toMatchObject([
    { type: 'hello', cwd: lab().folder, environment: { MY_OWN: 'x' } },
    { type: 'execute', session: 'mine', command: 'version', input: {}, format: 'text' },
  ]);
});

it('a stopped process is reported and can be ended', async () => {
  await pretend(() => undefined);
  const ran = await lab().desk(['daemon', 'stop', '--timeout', '500']);
  expect(ran.exitCode).toBe(11);
  expect(envelope(ran).error?.suggestion).toContain('--force');
  await until(() => seen.some(({ type }) => type === 'ask'), 'it was asked');
});
