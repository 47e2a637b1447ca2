import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesktopEvent } from '../../../src/ports/desktop/events.ts';
import { BusMonitor } from '../traps/support/bus-monitor.ts';
import { CALL, codesOf, named, Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

async function idOf(pid: number): Promise<string> {
  return (await stage.desktop.listApps(CALL)).find((app) => app.pid === pid)?.id ?? '';
}

describe.each(['gtk3', 'gtk4', 'qt6'] as const)('a %s application', (kind) => {
  it('that was killed is stale immediately, and its successor is a different one', async () => {
    const first = await stage.start(kind, 'mortal');
    const window = await stage.window(first.pid);
    const button = named((await stage.read(window.root)).root, 'Press').handle;
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await expect(stage.read(window.root)).rejects.toMatchObject({ code: 'STALE_REF' });
    await expect(stage.desktop.describe(button, CALL)).rejects.toMatchObject({ code: 'STALE_REF' });
    await expect(stage.desktop.press(button, CALL)).rejects.toMatchObject({
      code: 'STALE_REF',
      delivered: false,
    });

    const second = await stage.start(kind, 'mortal');
    expect(await idOf(second.pid)).not.toBe(window.root.app);
    expect(await stage.desktop.listWindows({ ...CALL, pid: first.pid })).toEqual([]);
    const again = await stage.window(second.pid);
    const tree = await stage.read(again.root);
    expect(named(tree.root, 'Press').bounds).toBeDefined();
    await expect(stage.read(window.root)).rejects.toMatchObject({ code: 'STALE_REF' });
    await second.stop();
  });

  it('that freezes delays only itself, is not queried repeatedly, and is back immediately', async () => {
    const [frozen, other] = [await stage.start(kind, 'frozen'), await stage.start('gtk3', 'busy')];
    const window = await stage.window(frozen.pid);
    await stage.read(window.root);
    const isResponsive = async (): Promise<boolean | undefined> =>
      (await stage.desktop.listApps(CALL)).find((app) => app.pid === frozen.pid)?.responsive;
    const monitor = await BusMonitor.start(stage.place.accessibilityBusAddress);
    process.kill(frozen.pid, 'SIGSTOP');
    try {
      expect(await isResponsive()).toBe(false);
      const started = performance.now();
      for (let call = 0; call < 20; call++) {
        const windows = await stage.desktop.listWindows(CALL);
        expect(windows.find(({ pid }) => pid === frozen.pid)).toMatchObject({ responsive: false });
        expect(windows.find(({ pid }) => pid === other.pid)).toMatchObject({ accessible: true });
        await expect(stage.read(window.root, { deadlineMs: 100 })).rejects.toMatchObject({
          code: 'APP_UNRESPONSIVE',
        });
      }
      // Twenty lists at 60 ms for the silent one, twenty reads at 60 ms, and one or two new questions that are waited for.
      expect(performance.now() - started).toBeLessThan(7000);
      const asked = (await monitor.settled()).filter(({ destination }) => destination === window.root.app);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.length).toBeLessThan(12);
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
      await monitor.stop();
    }
    await expect.poll(isResponsive, { timeout: 5000 }).toBe(true);
    expect((await stage.read(window.root)).complete).toBe(true);
    await frozen.stop();
    await other.stop();
  });
});

describe('concurrent calls', () => {
  it('do not affect each other, however some of them end', async () => {
    const fixture = await stage.start('gtk3', 'popular');
    const { root } = await stage.window(fixture.pid);
    const alone = await stage.read(root);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) => {
        if (index % 5 === 3) {
          await stage.desktop.listWindows({ ...CALL, signal: AbortSignal.timeout(index % 2) });
        }
        const signal = index % 4 === 1 ? AbortSignal.timeout(index) : undefined;
        return stage.read(root, signal ? { signal } : {});
      }),
    );
    const isImpatient = (index: number): boolean => index % 4 === 1 || index % 5 === 3;
    const trees = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.root] : []));
    for (const tree of trees) expect(tree).toEqual(alone.root);
    expect(codesOf(outcomes.filter((_, index) => !isImpatient(index)))).toEqual([]);
    expect(codesOf(outcomes).filter((code) => code !== 'CANCELLED')).toEqual([]);
    expect((await stage.read(root)).root).toEqual(alone.root);
  });

  it('continue when one gives up during connecting', async () => {
    const [impatient, patient] = await Promise.allSettled([
      stage.fresh().listWindows({ ...CALL, signal: AbortSignal.abort() }),
      (async () => {
        const desktop = stage.fresh();
        const cancelled = desktop.status({ ...CALL, signal: AbortSignal.timeout(0) }).catch(() => undefined);
        const late = desktop.status({ deadlineMs: 1 }).catch(() => undefined);
        const status = await desktop.status(CALL);
        await Promise.all([cancelled, late]);
        await desktop.close();
        return status;
      })(),
    ]);
    expect(impatient).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } });
    expect(patient).toMatchObject({ status: 'fulfilled', value: { display: stage.place.display } });
  });
});

describe('watching', () => {
  it('repeatedly leaves no rule on the bus and no listener behind', async () => {
    const fixture = await stage.start('gtk3', 'watched');
    const monitor = await BusMonitor.start(stage.place.accessibilityBusAddress);
    const heard: DesktopEvent[] = [];
    const { root } = await stage.window(fixture.pid);
    for (let round = 0; round < 25; round++) {
      const stop = await stage.desktop.watch((event) => heard.push(event), { ...CALL, appId: root.app });
      stop();
      stop();
    }
    const failed = stage.desktop.watch((event) => heard.push(event), {
      ...CALL,
      signal: AbortSignal.abort(),
    });
    await expect(failed).rejects.toMatchObject({ code: 'CANCELLED' });
    heard.length = 0;
    await fixture.control('rename', { widget: 'press', label: 'other' });
    const calls = await monitor.settled();
    await monitor.stop();
    const ours = calls.find(({ member }) => member === 'RemoveMatch')?.sender;
    const count = (member: string): number =>
      calls.filter((call) => call.member === member && call.sender === ours).length;
    expect(count('RemoveMatch')).toBe(50);
    expect(count('AddMatch')).toBe(50 + REGISTRY_RULES);
    expect(heard).toEqual([]);
  });
});

/** The rule by which a restarted registry is noticed, kept as long as the connection. */
const REGISTRY_RULES = 1;
