import type { MachinePlatform } from '../node/node-platform.ts';
import { DESKTOP_VARIABLES, displayIn } from './machine/desktop-environment.ts';

/** The PATH that login profiles start from: every user's, not the one this process happens to have. */
const FIRST_PATH = '/usr/local/bin:/usr/bin:/bin';

export function createLinuxPlatform(): MachinePlatform {
  const desktops = () => import('./desktops.ts');
  const facts = () => import('./process/facts.ts');
  return {
    processes: {
      residentBytes: async (pid) => (await facts()).residentBytes(pid),
      startingVariable: async (pid, name) => (await facts()).startingVariable(pid, name),
    },
    programFacts: async (environment) =>
      (await import('./process/program-facts.ts')).createProgramFacts(environment),
    desktops: {
      open: async (environment) => (await desktops()).openDesktop(environment),
      keyOf: async (environment) => (await desktops()).desktopKey(environment),
      startPrivate: async (request) => (await desktops()).startPrivateDesktop(request),
      endLeftovers: async () => (await desktops()).endLeftoverDesktops(),
      variables: DESKTOP_VARIABLES,
      displayIn,
      otherDisplays: async (environment) =>
        (await (await desktops()).otherLiveDisplays(environment)).map((name) => ({
          name,
          setting: `${name.startsWith(':') ? 'DISPLAY' : 'WAYLAND_DISPLAY'}=${name}`,
        })),
      findUserDesktop: async (environment) => (await desktops()).findUserDesktop(environment),
    },
    processIdentity: async () => (await import('./process/facts.ts')).createProcessIdentity(),
    sandbox: async (options) => (await import('./sandbox/create-sandbox.ts')).createSandbox(options),
    confinedPrograms: async (options) =>
      (await import('./sandbox/processes/create-processes.ts')).createProcesses(options),
    peerPid: async (client) => (await import('./sandbox/levels/confined-peer.ts')).peerPid(client),
    isConfined: async (client) => (await import('./sandbox/levels/confined-peer.ts')).isConfinedPeer(client),
    loginEnvironment: async (environment) => {
      const { loginEnvironment } = await import('./machine/login-environment.ts');
      const answer = await loginEnvironment({ inherited: { PATH: FIRST_PATH, ...environment } });
      return answer.fromShell ? answer : { problem: answer.problem ?? 'it did not answer' };
    },
    terminalApplications: async () =>
      (await import('./terminal-applications/linux-terminal-applications.ts')).LINUX_TERMINAL_APPLICATIONS,
    tcpPeers: async (connection) => (await import('./process/tcp-peers.ts')).tcpPeers(connection),
    openAddress: async (...given) => (await import('./process/open-address.ts')).openAddress(...given),
    keepPicture: async (...given) => (await import('../node/kept-picture.ts')).keepPicture(...given),
    askOnDesktop: async (environment, question, options) =>
      (await import('./machine/consent-dialog.ts')).askOnDesktop(environment, question, options),
    desktopSetup: async (name) => (await import('./setup/desktop-setups.ts')).desktopSetup(name),
    showNotice: async (environment, notice, options) => {
      const { showDesktopNotice } = await import('./machine/desktop-notice.ts');
      await showDesktopNotice(environment['DBUS_SESSION_BUS_ADDRESS'], notice, options);
    },
  };
}
