import { createClock } from '../../src/platform/node/clock.ts';
import type { Caller } from '../../src/model/sessions/caller.ts';
import type { DesktopsPort, OwnDesktop } from '../../src/ports/desktops.ts';
import { DesktopPool } from '../../src/sessions/desktop-pool.ts';
import { SessionRegistry } from '../../src/sessions/session-registry.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import type { NewSession } from '../../src/ports/sessions.ts';
import { fakeEngine } from '../commands/fake-engine.ts';
import { MemoryStore } from '../engine/support/memory-store.ts';

export interface Machine {
  readonly stores: Map<string, MemoryStore>;
  /** Displays of private desktops that were started and not stopped. */
  readonly running: Set<string>;
  /** Displays that broke down by themselves. */
  readonly dead: Set<string>;
  /** Called before a private desktop is there; throw to let it fail. */
  beforeStart: (signal: AbortSignal | undefined) => Promise<void>;
  others: string[];
  /** Called before other desktops are looked for. */
  beforeOthers: () => Promise<void>;
  /** Displays of private desktops whose process was killed with their supervisor. */
  readonly abandoned: Set<string>;
  started: number;
  /** Connections to desktops that are open. */
  connections: number;
  /** Environments given to private desktops. */
  readonly inherited: unknown[];
}

export function newMachine(): Machine {
  return {
    stores: new Map(),
    running: new Set(),
    dead: new Set(),
    beforeStart: async () => undefined,
    others: [],
    beforeOthers: async () => undefined,
    abandoned: new Set(),
    started: 0,
    connections: 0,
    inherited: [],
  };
}

/** The sessions of one process on a machine whose desktops are numbers: engines say on which display they are. */
export function sessionsOn(machine: Machine, { outlivesCalls = true } = {}): SessionRegistry {
  const factory: DesktopsPort = {
    open: async (environment) => {
      machine.connections += 1;
      return fakePort(machine, environment['DISPLAY'] ?? '');
    },
    endLeftovers: async () => {
      for (const display of machine.abandoned) machine.running.delete(display);
      machine.abandoned.clear();
    },
    variables: [],
    keyOf: async (environment) => environment['DISPLAY'] ?? '',
    startPrivate: async ({ inherit, signal, home }): Promise<OwnDesktop> => {
      machine.inherited.push(inherit);
      await machine.beforeStart(signal);
      machine.started += 1;
      const display = `:${100 + machine.started}`;
      machine.running.add(display);
      return {
        id: display,
        display,
        environment: { ...inherit, DISPLAY: display },
        home: {
          path: home ?? `/home${display}`,
          isKept: home !== undefined,
          files: async () => ({ count: 2, is_counted_whole: true, names: ['a.txt', 'b/c.txt'] }),
        },
        stop: async () => {
          await Promise.resolve();
          machine.running.delete(display);
        },
      };
    },
    displayIn: ({ DISPLAY }) => DISPLAY || undefined,
    otherDisplays: async () => {
      await machine.beforeOthers();
      return machine.others.map((name) => ({ name, setting: `DISPLAY=${name}` }));
    },
    findUserDesktop: async () => undefined,
  };
  return new SessionRegistry({
    clock: createClock(),
    pool: new DesktopPool(factory),
    factory,
    guarded: (desktop) => desktop,
    openStore: (name) => {
      const store = machine.stores.get(name) ?? new MemoryStore();
      machine.stores.set(name, store);
      return store;
    },
    storedNames: async () => {
      const names = [...machine.stores.keys()];
      const filled = await Promise.all(names.map((name) => isFilled(machine, name)));
      return names.filter((_, index) => filled[index]);
    },
    terminalDesktop: () => Promise.reject(new Error('no terminal was expected')),
    createEngine: async ({ desktop, session }) => {
      const status = await desktop.status({ deadlineMs: 1000 });
      return fakeEngine({
        title: async () => status.display,
        status: async () => ({ ...status, capabilities: desktop.capabilities }),
        screenshot: async () => ({
          bytes: Buffer.from(status.display),
          width: 4,
          height: 3,
          origin: { x: 0, y: 0 },
          scale: 1,
          clipped: false,
          blanked: 0,
          unread: [],
          labels: [],
        }),
        focused: async () => {
          await session.update('refs', () => ({ on: status.display }));
          return undefined;
        },
      });
    },
    outlivesCalls,
    showLive: async (name) => `http://127.0.0.1/${name}`,
  });
}

/** A folder is there as long as it has a file. */
async function isFilled({ stores }: Machine, name: string): Promise<boolean> {
  for (const document of ['session', 'mark', 'refs'])
    if ((await stores.get(name)?.load(document)) !== undefined) return true;
  return false;
}

function fakePort(machine: Machine, display: string): DesktopPort {
  const status = async () => {
    await Promise.resolve();
    const isPrivate = Number(display.slice(1)) > 100;
    if (display === '' || machine.dead.has(display) || (isPrivate && !machine.running.has(display))) {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', `There is no display ${display}.`, {
        suggestion: 'Start one.',
      });
    }
    return {
      desktopId: `id${display}`,
      display,
      session: 'simulated',
      isPrivate,
      screen: { width: 4, height: 3 },
    };
  };
  const port: Partial<DesktopPort> = {
    status: async () => ({ ...(await status()), session: 'simulated' }),
    desktopId: async () => (await status()).desktopId,
    close: async () => {
      machine.connections -= 1;
    },
  };
  // Only what sessions use of a desktop.
  return port as DesktopPort;
}

export const USER = { environment: { DISPLAY: ':1' }, cwd: '/' };
export const NOBODY = { environment: { PATH: '/bin' }, cwd: '/' };

export function asked(
  name: string | undefined,
  isPrivate = true,
  changes: Partial<NewSession> = {},
): NewSession {
  return {
    name,
    isPrivate,
    width: 800,
    height: 600,
    environment: USER.environment,
    deadlineMs: 1000,
    ...changes,
  };
}

/** The display on which a call of a session lands. */
export async function displayOf(
  sessions: SessionRegistry,
  name: string,
  caller: Caller = USER,
): Promise<string> {
  const engine = await sessions.enter(name, caller, { mayBeNew: true }).engine();
  return engine.title({ deadlineMs: 1000 });
}
