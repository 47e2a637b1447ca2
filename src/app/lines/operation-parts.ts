import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holderSocket, logFolder, resolvePaths } from '../../platform/paths.ts';
import type { OperationsParts } from '../../operations/operations.ts';
import type { OperationsPort } from '../../ports/operations.ts';
import type { Platform } from '../../ports/platform.ts';
import type { TerminalsPort } from '../../ports/terminals.ts';
import type { SandboxPort } from '../../ports/sandbox.ts';
import type { Environment } from '../../model/sessions/caller.ts';

/** A bundle of this program; bundles that are not in its folder lie one below. */
function bundle(name: string): string {
  const [first = '', ...others] = ['.', '..'].map((folder) => join(import.meta.dirname, folder, name));
  return [first, ...others].find((file) => existsSync(file)) ?? first;
}

/** Operations of whoever has this environment, run by holders of this build. */
export async function openOperations(
  platform: Platform,
  environment: Environment,
  build: string,
): Promise<OperationsPort> {
  const { createOperations } = await import('../../operations/operations.ts');
  return createOperations(await partsFor(platform, environment, build));
}

/** Terminals of whoever has this environment, kept by holders of this build. */
export async function openTerminals(
  platform: Platform,
  environment: Environment,
  build: string,
): Promise<TerminalsPort> {
  const { createTerminals } = await import('../../terminal/sessions/terminals.ts');
  return createTerminals(await partsFor(platform, environment, build));
}

/** What ports need that reach holders. */
async function partsFor(
  platform: Platform,
  environment: Environment,
  build: string,
): Promise<OperationsParts> {
  const paths = resolvePaths(environment);
  return {
    stateFolder: paths.state,
    logFolder: logFolder(paths.cache),
    environment,
    build,
    holderFile: bundle('holder.js'),
    workerFile: bundle('spawn-worker.js'),
    socketFor: (name) => holderSocket(environment, name),
    identity: await platform.processIdentity(),
  };
}

/** What confined commands see of this machine. */
export function openSandbox(platform: Platform): Promise<SandboxPort> {
  return platform.sandbox({ workerFile: bundle('spawn-worker.js') });
}
