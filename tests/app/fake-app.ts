import type { ResolvedConfiguration } from '../../src/model/configuration/config.ts';
import { commands } from '../../src/commands/index.generated.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { DesktopsPort } from '../../src/ports/desktops.ts';
import { createApp } from '../../src/app/create-app.ts';
import type { App, AppParts } from '../../src/app/app.ts';
import { createMemoryStore } from '../../src/sessions/memory-store.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import { createPlatform } from '../../src/platform/select.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

/** Simulated desktops: one per DISPLAY of an environment. */
export function fakeDesktops(
  open: (environment: Readonly<Record<string, string | undefined>>) => Promise<DesktopPort>,
): DesktopsPort {
  return {
    open,
    variables: [],
    keyOf: async (environment) => environment['DISPLAY'] ?? '',
    endLeftovers: async () => undefined,
    startPrivate: () => Promise.reject(new Error('startPrivate was not expected')),
    displayIn: ({ DISPLAY }) => DISPLAY || undefined,
    otherDisplays: async () => [],
    findUserDesktop: async () => undefined,
  };
}

/** The whole program without the operating system. */
export function fakeApp(
  desktop: (environment: Readonly<Record<string, string | undefined>>) => Promise<DesktopPort>,
  engine: () => Promise<Engine>,
  changes: Partial<AppParts> = {},
): App {
  const { ctx } = fakeDesktop();
  const stores = new Map<string, ReturnType<typeof createMemoryStore>>();
  return createApp({
    registry: createRegistry(commands),
    files: ctx.files,
    documents: () => ctx.documents(),
    clock: ctx.clock,
    system: ctx.system,
    caller: { environment: { DISPLAY: ':1' }, cwd: ctx.cwd },
    desktops: fakeDesktops(desktop),
    createEngine: engine,
    sessionFolder: (environment) => environment['HOME'] ?? '',
    openSession: (folder, session) => {
      const name = `${folder}/${session}`;
      const store = stores.get(name) ?? createMemoryStore();
      stores.set(name, store);
      return store;
    },
    storedSessions: async (folder) =>
      [...stores.keys()]
        .filter((name) => name.startsWith(`${folder}/`))
        .map((name) => name.slice(folder.length + 1)),
    folders: (environment) => ({ state: environment['HOME'] ?? '', cache: '', config: '' }),
    openOperations: () => Promise.reject(new Error('operations were not expected')),
    openTerminals: () => Promise.reject(new Error('terminals were not expected')),
    openTasks: () => Promise.reject(new Error('tasks were not expected')),
    sandbox: () => Promise.reject(new Error('a sandbox was not expected')),
    platform: createPlatform(),
    readyFolder: '',
    outlivesCalls: false,
    configuration: async () => unlimited(ctx.configuration),
    policy: async () => ctx.policy,
    log: { write: () => undefined, flush: async () => undefined },
    openLiveView: () => Promise.reject(new Error('a live view was not expected')),
    ...changes,
  });
}

/** These tests call more often, and more at once, than a client may; limits have tests of their own. */
function unlimited(configuration: ResolvedConfiguration): ResolvedConfiguration {
  const none = { rps: 0, rpm: 0, concurrency: 0, all_rps: 0, all_rpm: 0, all_concurrency: 0 };
  return { ...configuration, values: { ...configuration.values, rate_limit: none } };
}
