import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FixtureKind } from '../../fixtures/driver.ts';
import { Check } from '../../src/model/effects/expectation.ts';
import { OutputNode } from '../../src/model/tree/node.ts';
import { usePlace } from './harness.ts';
import { ListedWindows } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import type { Reply } from './support/reply.ts';
import { activate } from './support/subjects.ts';
import { until } from '../until.ts';

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];
/** Usually enough for a command to be waiting, which nothing outside shows; the test is valid either way. */
const UNDER_WAY_MS = 900;

const Waited = z.looseObject({
  waited_ms: z.number(),
  element: OutputNode.optional(),
  gone: z.string().optional(),
});
const Passed = z.looseObject({ passed: z.literal(true), checks: z.array(Check), waited_ms: z.number() });
const Failed = z.looseObject({ passed: z.literal(false), failures: z.array(Check) });

const place = usePlace();

/** Runs a command and performs an act while it waits. */
async function during(command: Promise<Reply>, act: () => Promise<unknown>): Promise<Reply> {
  await sleep(UNDER_WAY_MS);
  await act();
  return command;
}

describe.each(KINDS)('waiting on %s', (kind) => {
  let app: Bench;

  beforeAll(async () => {
    app = new Bench(place(), await place().fixture(kind, `Waiting ${kind}`));
  });

  it('ends on a value', async () => {
    const ref = await app.ref('name');
    const reply = await during(app.desk('wait', '--value', ref, '--is', 'Grace', '--timeout', '20000'), () =>
      app.set('name', 'text', 'Grace'),
    );
    expect(reply.ok(Waited).element).toMatchObject({ ref, value: 'Grace' });
    (await app.desk('wait', '--value', await app.ref('volume'), '--is', '30.0')).ok(Waited);
    const late = await app.desk('wait', '--value', ref, '--is', 'Nobody', '--timeout', '1500');
    expect(late.error('TIMEOUT').message).toContain('Last seen: textbox "Grace".');
  });

  it('neither compares nor shows a secret', async () => {
    await app.set('password', 'text', 'correct-horse');
    const ref = await app.ref('password');
    const replies = [
      await app.desk('wait', '--value', ref, '--is', 'x'),
      await app.desk('wait', '--element', ref),
      await app.desk('wait', '--text', 'orrect-hors', '--app', app.app, '--timeout', '400'),
      await app.desk('expect', ref, '--value', 'x', '--contains-text', 'y', '--timeout', '0'),
    ];
    const [value, element, text, expectation] = replies;
    value?.error('ACTION_NOT_SUPPORTED');
    element?.ok(Waited);
    text?.error('TIMEOUT');
    expectation?.error('EXPECTATION_FAILED');
    for (const reply of replies) expect(reply.stdout + reply.stderr).not.toContain('correct-horse');
    const right = await app.desk('expect', ref, '--value', 'correct-horse', '--timeout', '0');
    right.error('EXPECTATION_FAILED');
  });

  it('ends on the focus', async () => {
    await activate(place(), app.fixture.title);
    await app.set('notes', 'focused', true);
    const ref = await app.ref('name');
    const late = await app.desk('wait', '--focused', ref, '--timeout', '400');
    late.error('TIMEOUT');
    const reply = await during(app.desk('wait', '--focused', ref, '--timeout', '20000'), () =>
      app.set('name', 'focused', true),
    );
    expect(reply.ok(Waited).element?.states).toContain('focused');
    (await app.desk('expect', ref, '--focused', '--timeout', '0')).ok(Passed);
  });

  it('ends on a text', async () => {
    const args = ['wait', '--text', 'ALL SAVED', '--app', app.app];
    (await app.desk(...args, '--timeout', '400')).error('TIMEOUT');
    const reply = await during(app.desk(...args, '--timeout', '20000'), () =>
      app.fixture.control('rename', { widget: 'counter', label: 'All saved now' }),
    );
    const { element } = reply.ok(Waited);
    expect(element?.name ?? element?.value).toBe('All saved now');
  });

  it('ends when a window has closed', async () => {
    await app.fixture.control('open_dialog');
    const listed = async () => (await app.desk('list-windows', '--app', app.app)).ok(ListedWindows).windows;
    await until(async () => (await listed()).length > 1, 'the dialog to be listed');
    const dialog = (await listed()).find(({ title }) => title !== app.fixture.title);
    const ref = dialog?.ref ?? '';
    (await app.desk('wait', '--gone', ref, '--timeout', '400')).error('TIMEOUT');
    const reply = await during(app.desk('wait', '--gone', ref, '--timeout', '20000'), () =>
      app.fixture.control('close_dialog', { response: 'ok' }),
    );
    expect(reply.ok(Waited).gone).toBe(ref);
    expect((await app.fixture.events()).some(({ event }) => event === 'dialog-closed')).toBe(true);
  });

  it('meets an expectation, or fails with the actual state', async () => {
    const [later, agree] = [await app.ref('later'), await app.ref('agree')];
    const disabled = await app.desk('expect', later, '--enabled', '--role', 'button', '--timeout', '1000');
    expect(disabled.error('EXPECTATION_FAILED').retryable).toBe(true);
    expect(Failed.parse(disabled.json).failures).toEqual([
      { property: 'enabled', expected: true, actual: false, passed: false },
    ]);
    const reply = await during(app.desk('expect', later, '--enabled', '--timeout', '20000'), () =>
      app.set('later', 'enabled', true),
    );
    expect(reply.ok(Passed).checks).toEqual([
      { property: 'enabled', expected: true, actual: true, passed: true },
    ]);
    await app.set('agree', 'checked', true);
    const ticked = await app.desk('expect', agree, '--checked', '--exists', '--visible', '--no-focused');
    expect(ticked.ok(Passed).checks).toHaveLength(4);
    const told = await app.desk('expect', agree, '--no-checked', '--timeout', '0', '--format', 'outline');
    expect([told.exitCode, told.stdout]).toEqual([1, '']);
    expect(told.stderr.split('\n')[1]).toBe('  checked: expected false, is true');
    const field = await app.ref('name');
    await app.set('name', 'text', 'Ada Lovelace');
    (await app.desk('expect', field, '--contains-text', 'Love', '--value', 'Ada Lovelace')).ok(Passed);
    (await app.desk('expect', field, '--title', 'Ada', '--timeout', '0')).error('EXPECTATION_FAILED');
  });

  it('ends when an element no longer exists, even while waiting for its value', async () => {
    const [odd, count, press] = [
      await app.ref('enable_later'),
      await app.ref('count'),
      await app.ref('press'),
    ];
    (await app.desk('wait', '--gone', press, '--timeout', '400')).error('TIMEOUT');
    (await app.desk('expect', press, '--no-exists', '--timeout', '0')).error('EXPECTATION_FAILED');
    const gone = await during(app.desk('wait', '--gone', odd, '--timeout', '20000'), () =>
      app.fixture.control('remove', { widget: 'enable_later' }),
    );
    expect(gone.ok(Waited).gone).toBe(odd);
    (await app.desk('wait', '--gone', odd)).ok(Waited);
    (await app.desk('expect', odd, '--no-exists')).ok(Passed);
    const lost = await during(app.desk('wait', '--value', count, '--is', '99', '--timeout', '20000'), () =>
      app.fixture.control('remove', { widget: 'count' }),
    );
    lost.error('STALE_REF');
    expect(lost.durationMs).toBeLessThan(15_000);
    (await app.desk('expect', '@e99999', '--no-exists')).error('ELEMENT_NOT_FOUND');
  });

  it('ends at the deadline while an application is stopped, and succeeds when it continues', async () => {
    const ref = await app.ref('name');
    await app.set('name', 'text', 'before');
    const { pid } = app.fixture;
    process.kill(pid, 'SIGSTOP');
    try {
      const waits = await Promise.all([
        app.desk('wait', '--value', ref, '--is', 'after', '--timeout', '1500'),
        app.desk('wait', '--gone', ref, '--timeout', '1500'),
        app.desk('wait', '--text', 'after', '--app', app.app, '--timeout', '1500'),
      ]);
      for (const reply of waits) reply.error('TIMEOUT');
      const unseen = await app.desk('expect', ref, '--value', 'after', '--timeout', '1500');
      unseen.error('APP_UNRESPONSIVE');
      for (const { durationMs } of [...waits, unseen]) expect(durationMs).toBeLessThan(6000);
      const reply = await during(
        app.desk('wait', '--value', ref, '--is', 'after', '--timeout', '20000'),
        async () => {
          process.kill(pid, 'SIGCONT');
          await app.set('name', 'text', 'after');
        },
      );
      reply.ok(Waited);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('treats elements of a killed application as gone', async () => {
    const ref = await app.ref('name');
    const [gone, expected, lost] = [
      app.desk('wait', '--gone', ref, '--timeout', '20000'),
      app.desk('expect', ref, '--no-exists', '--timeout', '20000'),
      app.desk('wait', '--value', ref, '--is', 'never', '--timeout', '20000'),
    ];
    await sleep(UNDER_WAY_MS);
    process.kill(app.fixture.pid, 'SIGKILL');
    expect((await gone).ok(Waited).gone).toBe(ref);
    (await expected).ok(Passed);
    (await lost).error('STALE_REF');
  });
});
