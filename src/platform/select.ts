import { DeskterityError } from '../model/effects/errors.ts';
import type { Platform } from '../ports/platform.ts';
import { createLinuxPlatform } from './linux/linux-platform.ts';
import { createNodePlatform, type MachinePlatform } from './node/node-platform.ts';

export type { Platform } from '../ports/platform.ts';

/** The platform of the machine this program runs on. */
export function createPlatform(): Platform {
  const { listen, ...everywhere } = createNodePlatform();
  const { isConfined, peerPid, ...here } =
    process.platform === 'linux' ? createLinuxPlatform() : unsupportedPlatform();
  return { ...everywhere, ...here, sockets: { listen, isConfined, peerPid } };
}

/** A system without an adapter: only commands that need neither a desktop nor a confined program work. */
function unsupportedPlatform(): MachinePlatform {
  const unsupported = async (): Promise<never> => {
    throw new DeskterityError(
      'PLATFORM_UNSUPPORTED',
      `Deskterity does not support ${process.platform} yet.`,
      {
        suggestion: 'Use it on Linux with X11, for example in a virtual machine or a container.',
      },
    );
  };
  const cannotConfine = async (): Promise<never> => {
    throw new DeskterityError(
      'SANDBOX_UNAVAILABLE',
      `Programs cannot be confined on ${process.platform} yet.`,
      { suggestion: 'Run them on Linux, for example in a virtual machine or a container.' },
    );
  };
  return {
    processes: {
      residentBytes: async () => undefined,
      startingVariable: async () => undefined,
    },
    programFacts: unsupported,
    desktops: {
      open: unsupported,
      variables: [],
      keyOf: async () => '',
      startPrivate: unsupported,
      endLeftovers: async () => undefined,
      displayIn: () => undefined,
      otherDisplays: async () => [],
      findUserDesktop: async () => undefined,
    },
    processIdentity: unsupported,
    sandbox: cannotConfine,
    confinedPrograms: cannotConfine,
    // Nothing is confined here.
    isConfined: async () => false,
    peerPid: async () => undefined,
    loginEnvironment: async () => ({ problem: 'login shells are not used on this system' }),
    terminalApplications: async () => ({
      choose: () => undefined,
      placeOf: () => undefined,
      controlPlace: (_environment, folder) => ({ socket: folder, group: '' }),
      displayOf: () => ({}),
      listsWindows: () => false,
      whyFocusIsUnknown: () => undefined,
    }),
    desktopSetup: unsupported,
    showNotice: unsupported,
  };
}
