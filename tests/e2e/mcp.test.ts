import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expectedWidgets, type FixtureKind } from '../../fixtures/widgets.ts';
import { usePlace } from './harness.ts';
import { flatten, ListedWindows, Snapshot } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { textOf, useClients, type Era, type McpDesk, type Way } from './support/mcp-client.ts';
import { answeredCalls, otherActiveCalls, sessionNames } from './support/mcp-daemon.ts';
import { launchFixture } from './support/mcp-fixture.ts';
import { until } from '../until.ts';
import { Receipt } from '../../src/model/effects/effect.ts';

const place = usePlace();
const connect = useClients(place);
let app: Bench;
beforeAll(async () => {
  app = new Bench(place(), await place().fixture('gtk3'));
});

/** Each transport with a different toolkit. */
const WAYS: readonly (readonly [Era, Way, FixtureKind])[] = [
  ['legacy', 'stdio', 'gtk3'],
  ['legacy', 'HTTP', 'qt6'],
  ['modern', 'stdio', 'qt5'],
  ['modern', 'HTTP', 'gtk4'],
];

async function refOf(desk: McpDesk, app: number, kind: FixtureKind, widget: string): Promise<string> {
  const wanted = expectedWidgets(kind).find(({ id }) => id === widget);
  const { tree } = await desk.data(Snapshot, 'desktop_snapshot', { app: String(app) });
  const found = flatten(tree).find(({ role, name }) => role === wanted?.role && name === wanted.name);
  if (found?.ref === undefined) throw new Error(`no ${widget} in ${JSON.stringify(tree)}`);
  return found.ref;
}

/** Longer than the time for which changes are collected before a notification. */
async function quiet(): Promise<void> {
  await sleep(900);
}

describe.each(WAYS)('a client of the %s protocol over %s, with %s', (era, way, kind) => {
  it('opens an application, reads and operates it, is notified of each change once, and closes it', async () => {
    const desk = await connect({ era, way });
    const { client } = desk;
    expect([client.getProtocolEra(), client.getServerVersion()?.name]).toEqual([era, 'deskterity']);
    expect(client.getInstructions()).toContain('desktop_snapshot');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('desktop_click');

    const opened = await launchFixture(place(), desk, kind, `Worked over ${way} (${era})`);
    const press = await refOf(desk, opened.pid, kind, 'press');
    const pressed = await desk.data(Receipt.loose(), 'desktop_click', { ref: press });
    expect(pressed).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(await opened.presses('press')).toBe(1);

    const name = await refOf(desk, opened.pid, kind, 'name');
    const set = await desk.data(Receipt.loose(), 'desktop_set_value', { ref: name, value: 'zażółć 日本 😀' });
    expect(set.effect).toBe('confirmed');
    expect(await opened.control('get', { widget: 'name' })).toMatchObject({ text: 'zażółć 日本 😀' });

    const [tree, state] = [`deskterity://app/${opened.pid}/tree`, `deskterity://app/${opened.pid}/state`];
    const unwatch = await desk.watch(tree, state);
    await opened.control('rename', { widget: 'counter', label: 'Just begun' });
    await until(async () => desk.updatesOf(tree) > 0, 'the first change to be told of');
    expect(await desk.read(tree)).toContain('Just begun');

    await desk.data(Receipt.loose(), 'desktop_click', { ref: press });
    await until(async () => desk.updatesOf(tree) > 1, 'the pressed button to be told of');
    expect(await desk.read(tree)).toContain('pressed 2');
    await quiet();
    expect(desk.updatesOf(tree)).toBe(2);

    const known = desk.updatesOf(state);
    await opened.control('set_title', { title: 'Another title' });
    await until(async () => desk.updatesOf(state) > known, 'the title to be told of');
    expect(await desk.read(state)).toContain('Another title');
    await quiet();
    expect(desk.updatesOf(state)).toBe(known + 1);

    await unwatch();
    await desk.watchList();
    const told = desk.updated.length;
    const Closed = z.looseObject({ closed: z.literal(true) });
    await desk.data(Closed, 'desktop_close_app', { app: String(opened.pid) });
    await until(async () => desk.listChanges > 0, 'the list to be told of');
    expect(desk.updated).toHaveLength(told);
    const { windows } = await desk.data(ListedWindows, 'desktop_list_windows');
    expect(windows.map(({ pid }) => pid)).not.toContain(opened.pid);
  });

  it('is notified of the progress of a call', async () => {
    const desk = await connect({ era, way });
    const steps: Progress[] = [];
    const onprogress = (step: Progress): void => void steps.push(step);
    const waited = await desk.call('desktop_wait', { ms: 1300 }, { onprogress });
    expect(waited.structuredContent).toMatchObject({ waited_ms: expect.any(Number) });
    const done = steps.map(({ progress }) => progress);
    expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
    expect(steps.at(-1)).toMatchObject({ total: 1.3, message: expect.stringContaining('/ 1.3 s') });
    expect(steps.at(-1)?.progress).toBeGreaterThan(0.9);
  });

  it('cancels a call, which then ends in the daemon and is not carried out', async () => {
    const desk = await connect({ era, way });
    const session = await desk.session();
    const press = await refOf(desk, app.fixture.pid, 'gtk3', 'press');
    const { events } = await app.recording(async () => {
      // An application that does not answer keeps the call from acting.
      process.kill(app.fixture.pid, 'SIGSTOP');
      try {
        const calls = new AbortController();
        const click = desk.call(
          'desktop_click',
          { ref: press, timeout_ms: 30_000 },
          { signal: calls.signal },
        );
        const wait = desk.call('desktop_wait', { ms: 60_000 }, { signal: calls.signal });
        const both = Promise.allSettled([click, wait]);
        await until(async () => (await otherActiveCalls(place())) === 2, 'both calls to be under way');
        calls.abort('the user changed their mind');
        expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
        await until(async () => (await otherActiveCalls(place())) === 0, 'the calls to end');
      } finally {
        process.kill(app.fixture.pid, 'SIGCONT');
      }
      // By now it has handled every earlier request.
      await desk.data(Receipt.loose(), 'desktop_click', { ref: press });
    });
    expect(events.filter(({ event }) => event === 'clicked')).toHaveLength(1);
    expect(await answeredCalls(place(), session)).toEqual(
      expect.arrayContaining(['click CANCELLED', 'wait CANCELLED']),
    );
  });

  it('gets the error of a failed call', async () => {
    const desk = await connect({ era, way });
    const failed = await desk.call('desktop_snapshot', { app: 'no such application' });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'APP_NOT_FOUND', suggestion: expect.stringContaining('desktop_') },
      },
    });
    expect(textOf(failed)).toContain('APP_NOT_FOUND');
    await expect(desk.call('desktop_snapshoot')).rejects.toThrow('Did you mean "desktop_snapshot"?');
  });

  it('disconnects, which ends its session', async () => {
    const desk = await connect({ era, way });
    const session = await desk.session();
    await desk.data(ListedWindows, 'desktop_list_windows');
    expect(await sessionNames(place())).toContain(session);
    await desk.leave();
    await until(async () => !(await sessionNames(place())).includes(session), 'its session to end');
  });
});
