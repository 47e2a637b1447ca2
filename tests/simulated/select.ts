import { DeskterityError } from '../../src/model/effects/errors.ts';
import { createNodePlatform } from '../../src/platform/node/node-platform.ts';
import type { Platform } from '../../src/ports/platform.ts';
import { fixtureWorld } from './fixture-world.ts';
import { realClock } from './simulated-clock.ts';
import { SimulatedDesktop } from './simulated-desktop.ts';
import type { SimulatedWorld } from './simulated-world.ts';

const PID = process.pid;

/** Replaces `src/platform/select.ts` when the program is built for tests: no part of it may depend on the platform. */
export function createPlatform(): Platform {
  return createSimulatedPlatform(fixtureWorld(realClock()).world);
}

/** A machine whose only desktop is this world, and which runs no command lines. */
export function createSimulatedPlatform(world: SimulatedWorld): Platform {
  const { listen, ...everywhere } = createNodePlatform();
  const desktop = new SimulatedDesktop(world);
  return {
    ...everywhere,
    clock: world.clock,
    sockets: { listen, isConfined: async () => false, peerPid: async () => undefined },
    processes: {
      residentBytes: async () => undefined,
      startingVariable: async () => undefined,
    },
    programFacts: async () => ({
      ofProcess: async () => ({ otherNames: [] }),
      ofCommand: async ([program = '']) => ({ executable: program, otherNames: [] }),
      ofApplication: async (app) => ({ executable: app, otherNames: [] }),
      lineageOf: async () => [],
      keyOf: async () => undefined,
    }),
    desktops: {
      open: async () => desktop,
      variables: [],
      keyOf: async () => 'simulated',
      displayIn: () => 'simulated',
      startPrivate: refuse,
      endLeftovers: async () => undefined,
      otherDisplays: async () => [],
      findUserDesktop: async () => undefined,
    },
    processIdentity: async () => ({
      self: () => ({ pid: PID, startTime: '', bootId: '' }),
      isRunning: ({ pid }) => pid === PID,
    }),
    sandbox: refuse,
    confinedPrograms: refuse,
    loginEnvironment: async () => ({ problem: 'there are no shells here' }),
    terminalApplications: refuse,
    desktopSetup: refuse,
    showNotice: refuse,
  };
}

async function refuse(): Promise<never> {
  throw new DeskterityError('PLATFORM_UNSUPPORTED', 'A simulated platform has nothing of the kind.', {
    suggestion: 'Run it on a real one.',
  });
}
