import { describe, expect, it } from 'vitest';
import { Connections } from '../../src/engine/refs/connections.ts';
import { ScopeResolver } from '../../src/engine/refs/scope.ts';
import { Session } from '../../src/engine/refs/session.ts';
import { watchDesktop } from '../../src/engine/waiting/watch.ts';
import type { WatchRequest } from '../../src/engine/requests/desktop.ts';
import { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { SimulatedWorld, type SimulatedApp } from '../simulated/simulated-world.ts';
import { MemoryStore } from './support/memory-store.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';

const CALL = { deadlineMs: 1000 };

function app(name: string, pid: number, id = `:1.${pid}`): SimulatedApp {
  const root = {
    id: `${id}/root`,
    role: 'window' as const,
    name,
    children: [{ id: `${id}/b`, role: 'button' as const, name: 'Press' }],
  };
  const bounds = { x: 0, y: 0, width: 10, height: 10 };
  return { id, name, pid, windows: [{ id: `w${pid}`, title: name, bounds, root }] };
}

function partsOf(world: SimulatedWorld, desktop: SimulatedDesktop) {
  const store = new MemoryStore();
  const session = new Session(store, { desktopId: 'simulated' });
  const scope = new ScopeResolver(desktop, session, new Connections(store, 'simulated'));
  return { desktop, clock: world.clock, scope };
}

async function watching(apps: SimulatedApp[], request: Partial<WatchRequest>) {
  const world = new SimulatedWorld(apps);
  const desktop = new SimulatedDesktop(world);
  const events: DesktopEvent[] = [];
  const stop = await watchDesktop(partsOf(world, desktop), { ...CALL, ...request }, (event) =>
    events.push(event),
  );
  const rename = (target: SimulatedApp, name: string): void =>
    world.change(target.id, `${target.id}/b`, { name });
  const start = (target: SimulatedApp): void => {
    world.apps.push(target);
    world.emit(target.id, '', 'window-opened', '');
  };
  return { world, desktop, events, stop, rename, start };
}

/** Lets promises that are ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('watching one application', () => {
  it('delivers its events, and none of another', async () => {
    const [mine, other] = [app('Mine', 1), app('Other', 2)];
    const { events, rename, stop } = await watching([mine, other], { app: 'mine' });
    rename(other, 'x');
    expect(events).toEqual([]);
    rename(mine, 'y');
    expect(events).toMatchObject([{ kind: 'name-changed', node: { app: mine.id } }]);
    stop();
    rename(mine, 'z');
    expect(events).toHaveLength(1);
  });

  it('receives events of all ids of its process', async () => {
    const [first, second] = [app('Mine', 1, ':1.1'), app('Mine', 1, ':1.9')];
    const { events, rename } = await watching([first, second], { app: 'Mine' });
    rename(second, 'y');
    expect(events).toHaveLength(1);
  });

  it('reports that it ended, and continues with the next one of that name', async () => {
    const [old, fresh] = [app('Mine', 1), app('Mine', 7)];
    const { desktop, events, rename, start } = await watching([old], { app: 'Mine' });
    await desktop.closeApp(1);
    await settle();
    expect(events.some(({ kind, detail }) => kind === 'window-closed' && detail === 'application')).toBe(
      true,
    );
    start(fresh);
    await settle();
    expect(events.at(-1)).toMatchObject({ kind: 'window-opened', detail: 'application' });
    events.length = 0;
    rename(fresh, 'y');
    expect(events).toMatchObject([{ node: { app: fresh.id } }]);
  });

  it('stays with the first one when a second of that name starts', async () => {
    const [mine, twin] = [app('Mine', 1), app('Mine', 2)];
    const { events, rename, start } = await watching([mine], { app: 'Mine' });
    start(twin);
    await settle();
    events.length = 0;
    rename(twin, 'x');
    expect(events).toEqual([]);
    rename(mine, 'y');
    expect(events).toHaveLength(1);
  });

  it('passes on windows that only the display knows, and the loss of the desktop once', async () => {
    const mine = app('Mine', 1);
    const { world, events, rename } = await watching([mine], { app: 'Mine' });
    world.emit('', 'x11:0x1', 'window-opened', '');
    expect(events).toHaveLength(1);
    world.emit('', '', 'desktop-lost', '');
    expect(events.map(({ kind }) => kind)).toEqual(['window-opened', 'desktop-lost']);
    rename(mine, 'y');
    expect(events).toHaveLength(2);
  });

  it('fails for one that is not running, unless that is allowed; then no subscription remains', async () => {
    const world = new SimulatedWorld([]);
    const desktop = new SimulatedDesktop(world);
    const listeners = new Set<unknown>();
    const listen = world.listen.bind(world);
    world.listen = (listener) => {
      const stop = listen(listener);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    };
    const parts = partsOf(world, desktop);
    const begin = watchDesktop(parts, { ...CALL, app: 'Mine' }, () => undefined);
    await expect(begin).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
    expect(listeners.size).toBe(0);
    const events: DesktopEvent[] = [];
    const stop = await watchDesktop(parts, { ...CALL, app: 'Mine', awaitsApp: true }, (event) =>
      events.push(event),
    );
    world.apps.push(app('Mine', 3));
    world.emit(':1.3', '', 'window-opened', '');
    await settle();
    expect(events).toMatchObject([{ kind: 'window-opened', detail: 'application' }]);
    stop();
    expect(listeners.size).toBe(0);
  });
});

describe('watching the windows of all', () => {
  it('delivers events of windows, not of elements', async () => {
    const mine = app('Mine', 1);
    const { events, rename, start } = await watching([mine], { windowsOnly: true });
    rename(mine, 'x');
    expect(events).toEqual([]);
    start(app('Other', 2));
    expect(events).toMatchObject([{ kind: 'window-opened' }]);
  });
});
