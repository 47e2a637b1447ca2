import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AuditRecord } from '../../src/model/audit/entry.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { CallLimits } from '../../src/model/limits/call-limits.ts';
import type { RateSettings } from '../../src/model/limits/call-rate.ts';
import { policyDenied } from '../../src/policy/policy-error.ts';
import { defineCommand, type CommandContext } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { registerCommand } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

const FREE: RateSettings = { perSecond: 0, perMinute: 0, atOnce: 0 };

function setUp(session: Partial<RateSettings>) {
  let now = 0;
  const records: AuditRecord[] = [];
  const told: string[] = [];
  const { ctx } = fakeDesktop();
  const limited: CommandContext = {
    ...ctx,
    clock: {
      ...ctx.clock,
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    },
    limits: { counts: new CallLimits(), session: { ...FREE, ...session }, all: FREE },
    audit: {
      log: async () => ({
        record: async (record) => {
          records.push(record);
          return { sequence: records.length, synced: Promise.resolve() };
        },
        entries: async function* () {},
        check: () => Promise.reject(new Error('not used')),
        files: async () => [],
        folder: '/audit',
      }),
      onFailure: 'refuse',
      recordsReads: false,
      who: { session: 'default' },
      onEntry: (kind) => told.push(kind),
      onProblem: () => undefined,
    },
  };
  return { ctx: limited, records, told, pass: (ms: number) => (now += ms) };
}

const trying = (run: () => Promise<Record<string, unknown>>, more = {}) =>
  registerCommand(
    defineCommand({
      name: 'try',
      group: 'system',
      kind: 'admin',
      summary: 'Try.',
      input: z.object({ text: z.string().optional() }),
      output: z.looseObject({}),
      examples: [],
      run,
      ...more,
    }),
  );
const fine = async () => ({});

describe('calls that come too often', () => {
  it('are refused with the time to wait, recorded once, and work again after it', async () => {
    const { ctx, records, told, pass } = setUp({ perSecond: 2 });
    const call = () => invoke(trying(fine), ctx, {});
    await call();
    await call();
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1000 });
    expect(failure instanceof DeskterityError && failure.toBody()).toMatchObject({
      message: 'Too many calls: one session may make 2 calls per second.',
      suggestion: expect.stringContaining('rate_limit.rps'),
      retry_after_ms: 1000,
    });
    await expect(call()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const denied = records.filter(({ kind }) => kind === 'denied');
    expect(denied).toMatchObject([{ facts: { command: 'try', result: 'RATE_LIMITED' } }]);
    expect(told.filter((kind) => kind === 'denied')).toHaveLength(1);
    pass(1000);
    await call();
  });

  it('count if they are denied or not valid, and a quarter if they only read', async () => {
    const { ctx } = setUp({ perSecond: 2 });
    const denied = trying(async () => {
      throw new DeskterityError('POLICY_DENIED', 'No.', { suggestion: 'No.' });
    });
    await expect(invoke(denied, ctx, {})).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    await expect(invoke(trying(fine), ctx, { wrong: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(invoke(denied, ctx, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const reads = setUp({ perSecond: 2 });
    const read = trying(fine, { isReadOnly: true });
    for (let at = 0; at < 8; at += 1) await invoke(read, reads.ctx, {});
    await expect(invoke(read, reads.ctx, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('wait for a moment if they are steps of another call', async () => {
    const { ctx } = setUp({ perSecond: 2 });
    const step = { ...ctx, isStep: true };
    for (let at = 0; at < 7; at += 1) await invoke(trying(fine), step, {});
    expect(ctx.clock.now()).toBeGreaterThanOrEqual(3000);
    const slow = setUp({ perMinute: 2 });
    const steps = { ...slow.ctx, isStep: true };
    await invoke(trying(fine), steps, {});
    await invoke(trying(fine), steps, {});
    await expect(invoke(trying(fine), steps, {})).rejects.toMatchObject({ retryAfterMs: 60_000 });
  });

  it('are not refused if they stop acting', async () => {
    const { ctx } = setUp({ perSecond: 1 });
    const stop = () => invoke(trying(fine, { isUrgent: true }), ctx, {});
    expect(await Promise.all([stop(), stop(), stop()])).toHaveLength(3);
  });
});

it('a call that fails for the third time in a row is answered with advice', async () => {
  const { ctx } = setUp({});
  const failing = trying(async () => {
    throw new DeskterityError('ELEMENT_NOT_FOUND', 'None.', { suggestion: 'Look.', retryable: true });
  });
  const suggestion = async (input: object) =>
    invoke(failing, ctx, input).then(
      () => '',
      (error: unknown) => (error instanceof DeskterityError ? error.suggestion : ''),
    );
  expect([await suggestion({}), await suggestion({})]).toEqual(['Look.', 'Look.']);
  expect(await suggestion({})).toMatch(/^Look\. This same call has now failed 3 times in a row:/);
  expect(await suggestion({ text: 'other' })).toBe('Look.');
  expect(await suggestion({})).toBe('Look.');
});

it('counts an attempt to read a denied application like an act, and records it as an alert', async () => {
  const { ctx, records } = setUp({ perSecond: 3 });
  const verdict = { decision: 'deny', rule: 'built-in "vault"', why: 'It holds secrets.' } as const;
  const facts = { name: 'Vault', executable: '/usr/bin/vault' };
  const reading = trying(
    async () => {
      // The engine says it in its own words.
      throw policyDenied('the application "Vault"', verdict, facts).with({ suggestion: 'Stop.' });
    },
    { isReadOnly: true },
  );
  for (let time = 0; time < 3; time += 1)
    await expect(invoke(reading, ctx, {})).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  await expect(invoke(reading, ctx, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(records[0]).toMatchObject({
    kind: 'denied',
    facts: {
      level: 'alert',
      app_name: 'Vault',
      app_executable: '/usr/bin/vault',
      rule: 'built-in "vault"',
    },
  });
});
