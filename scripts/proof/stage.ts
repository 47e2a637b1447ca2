import { setTimeout as sleep } from 'node:timers/promises';
import { startFixture, type Fixture, type FixtureKind } from '../../fixtures/driver.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { SessionStore } from '../../src/ports/session-store.ts';

/** An application that was started for a stage. */
export interface Staged {
  readonly pid: number;
  stop(): Promise<void>;
}

/** A private desktop with one fixture application and an engine. */
export interface Stage<F extends Staged = Fixture> {
  readonly place: PrivateDesktop;
  readonly fixture: F;
  readonly desktop: LinuxDesktop;
  readonly engine: Engine;
  end(): Promise<void>;
}

const START_MS = 20_000;

/** The display of its private desktop. */
export type StageKind = 'x11' | 'wayland';

export function setStage(kind: FixtureKind, display: StageKind = 'x11'): Promise<Stage> {
  return stageOf((environment) => startFixture(kind, { environment, deadlineMs: START_MS }), display);
}

/** The same with an application of another kind. */
export async function stageOf<F extends Staged>(
  start: (environment: PrivateDesktop['environment']) => Promise<F>,
  display: StageKind,
): Promise<Stage<F>> {
  const place = await PrivateDesktop.start({ deadlineMs: START_MS, display });
  const fixture = await start(place.environment);
  const desktop = new LinuxDesktop(place.environment);
  const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
  for (let attempt = 0; attempt < 100; attempt++) {
    const windows = await desktop.listWindows({ deadlineMs: 2000, pid: fixture.pid });
    if (windows.some((window) => window.accessible)) break;
    await sleep(50);
  }
  return {
    place,
    fixture,
    desktop,
    engine,
    end: async () => {
      await desktop.close();
      await fixture.stop();
      await place.stop();
    },
  };
}

export function memoryStore(): SessionStore {
  const documents = new Map<string, unknown>();
  return {
    load: async (name) => documents.get(name),
    update: async (name, change) => {
      documents.set(name, change(documents.get(name)));
    },
    clear: async () => {
      documents.clear();
    },
  };
}
