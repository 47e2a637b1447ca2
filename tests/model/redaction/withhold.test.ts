import { describe, expect, it } from 'vitest';
import { secretsOf, withhold } from '../../../src/model/redaction/withhold.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../../simulated/simulated-world.ts';
import { MemoryStore } from '../../engine/support/memory-store.ts';
import { oneWindow } from '../../engine/support/stage.ts';
import { fakeApp } from '../../app/fake-app.ts';

const receipt = (secret: string, before = 'old') => ({
  target: { ref: '@e65', role: 'textbox', name: 'Name' },
  effect: 'confirmed',
  evidence: [`fresh read: ${JSON.stringify(secret)}`, 'application events: text-changed'],
  via: 'at-spi:EditableText.SetTextContents',
  changes: [
    {
      kind: 'changed',
      ref: '@e65',
      role: 'textbox',
      before: `value "${before}"`,
      after: `value ${JSON.stringify(secret)}`,
    },
    { kind: 'changed', ref: '@e7', role: 'checkbox', before: 'none', after: 'checked enabled' },
  ],
  cursor: 'c1',
});

describe('what an answer must not repeat', () => {
  it.each(['e', 'c1', '@e6', 'ed', '"'])('%j leaves no gaps in our own words', (secret) => {
    expect(withhold(receipt(secret), [secret])).toEqual({
      ...receipt('[withheld]', '[withheld]'),
    });
  });

  it.each(['confirmed', 'textbox', 'at-spi', 'changed', 'a"b\\c\nd', 'hunter2'])(
    '%j is gone from what was read, and only there',
    (secret) => {
      const { evidence, ...rest } = receipt('[withheld]');
      expect(withhold(receipt(secret), [secret])).toEqual({
        ...rest,
        evidence: [evidence[0], secret === 'changed' ? '[withheld]' : evidence[1]],
      });
    },
  );

  it('withholds a whole text if it contains the secret, is truncated, or is part of the secret', () => {
    const said = (text: string): unknown =>
      withhold({ after: `value ${JSON.stringify(text)}` }, ['hunter2 hunts']);
    const gone = { after: 'value "[withheld]"' };
    expect(said('Hello hunter2 hunts!')).toEqual(gone);
    expect(said('Hello hunt…')).toEqual(gone);
    expect(said('hunter2')).toEqual(gone);
    expect(said('HUNTER2\n HUNTS')).toEqual(gone);
    expect(said('Hello')).toEqual({ after: 'value "Hello"' });
  });

  it('is withheld in failures, except in their code and suggestion', () => {
    const body = {
      code: 'ACTION_FAILED',
      message: 'It took effect only in part: a fresh read shows "ACTI" instead of "ACTION".',
      suggestion: 'Run "desk ACTION".',
      platform_detail: 'org.Failed: ACTION',
      candidates: [{ ref: '@e1', role: 'ACTION', name: 'the ACTION', detail: 'x' }],
    };
    expect(withhold(body, ['ACTION'])).toEqual({
      ...body,
      message: 'It took effect only in part: a fresh read shows "[withheld]" instead of "[withheld]".',
      platform_detail: '[withheld]',
      candidates: [{ ref: '@e1', role: 'ACTION', name: '[withheld]', detail: 'x' }],
    });
  });

  it('is every text under a secret key that is not empty', () => {
    expect(secretsOf({ a: 'x', b: '', c: 4, d: 'y' }, ['a', 'b', 'c'])).toEqual(['x']);
    expect(withhold(receipt('x'), [])).toEqual(receipt('x'));
  });
});

it.each(['json', 'outline'] as const)('an app neither prints nor stores a secret (%s)', async (format) => {
  const store = new MemoryStore();
  const world = new SimulatedWorld(
    oneWindow([{ id: 'name', role: 'textbox', name: 'Name', value: 'old', accepts: 'text' }]),
  );
  const desktop = new SimulatedDesktop(world);
  const app = fakeApp(
    async () => desktop,
    () => createEngine({ desktop, session: store, clock: world.clock }),
  );
  const run = async (command: string, input: object, secrets: string[] = []): Promise<string> => {
    const { exitCode, stdout, stderr } = await app.execute('default', command, input, { format, secrets });
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout;
  };
  await run('snapshot', {});
  const told = await run('set-value', { ref: '@e1', value: 'hunter2' }, ['value']);
  expect(told).toContain('confirmed');
  expect(told).toContain('[withheld]');
  expect(told).not.toContain('hunter2');
  expect(world.node('app', 'name').value).toBe('hunter2');
  // A field that shows what it contains would otherwise tell it to the next reader of the session.
  const later = await run('snapshot', {});
  expect(later).toContain('[withheld]');
  expect(later).not.toContain('hunter2');
  for (const name of ['refs', 'readings'])
    expect(JSON.stringify(await store.load(name))).not.toContain('hunter2');
  expect(await run('set-value', { ref: '@e1', value: 'new' })).not.toContain('hunter2');
});
