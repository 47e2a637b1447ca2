import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { logFolder } from '../../platform/node/logs/log-folder.ts';
import { holderSocket, resolvePaths } from '../../platform/paths.ts';
import type { OperationsParts } from '../../operations/operations.ts';
import type { OperationsPort } from '../../ports/operations.ts';
import type { TerminalsPort } from '../../ports/terminals.ts';
import type { SandboxPort } from '../../ports/sandbox.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import type { AskLoginShell } from './line-environments.ts';

/** A bundle of this program; bundles that are not in its folder lie one below. */
function bundle(name: string): string {
  const [first = '', ...others] = ['.', '..'].map((folder) => join(import.meta.dirname, folder, name));
  return [first, ...others].find((file) => existsSync(file)) ?? first;
}

/** Operations of whoever has this environment, run by holders of this build. */
export async function openOperations(environment: Environment, build: string): Promise<OperationsPort> {
  const { createOperations } = await import('../../operations/operations.ts');
  return createOperations(await partsFor(environment, build));
}

/** Terminals of whoever has this environment, kept by holders of this build. */
export async function openTerminals(environment: Environment, build: string): Promise<TerminalsPort> {
  const { createTerminals } = await import('../../terminal/sessions/terminals.ts');
  return createTerminals(await partsFor(environment, build));
}

/** What ports need that reach holders. */
async function partsFor(environment: Environment, build: string): Promise<OperationsParts> {
  const { selectProcessIdentity } = await import('../../platform/select.ts');
  const paths = resolvePaths(environment);
  return {
    stateFolder: paths.state,
    logFolder: logFolder(paths.cache),
    environment,
    build,
    holderFile: bundle('holder.js'),
    workerFile: bundle('spawn-worker.js'),
    socketFor: (name) => holderSocket(environment, name),
    identity: await selectProcessIdentity(),
  };
}

/** What confined commands see of this machine. */
export async function openSandbox(): Promise<SandboxPort> {
  const { selectSandbox } = await import('../../platform/select.ts');
  return selectSandbox({ workerFile: bundle('spawn-worker.js') });
}

/** Whether a command that is confined has connected to a socket of ours, or somebody of whom that is not known. */
export async function isConfinedPeer(socket: Socket): Promise<boolean> {
  return (await import('../../platform/select.ts')).isConfinedPeer(socket);
}

/** Resident memory of a process; `undefined` when it is gone. */
export async function memoryOf(pid: number): Promise<number | undefined> {
  const { residentBytes } = await import('../../platform/linux/process/facts.ts');
  return residentBytes(pid);
}

/** Profiles add to what every user is given, not to what this process happens to have. */
const FIRST_PATH = '/usr/local/bin:/usr/bin:/bin';

export const askLoginShell: AskLoginShell = async (environment) => {
  const { loginEnvironment } = await import('../../platform/linux/machine/login-environment.ts');
  const answer = await loginEnvironment({ inherited: { PATH: FIRST_PATH, ...environment } });
  return answer.fromShell ? answer : { problem: answer.problem ?? 'it has not answered' };
};
