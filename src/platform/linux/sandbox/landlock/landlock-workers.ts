import { stat } from 'node:fs/promises';
import { confinementKey, type Confinement } from '../../../../model/tools/confinement.ts';
import { confinementPlan } from '../confinement-plan.ts';
import type { DenyReports } from '../seccomp/deny-reports.ts';
import { placeStamp, type SystemReads } from './system-reads.ts';
import { makeCanary, removeCanary } from '../levels/probe-canary.ts';
import { SandboxProblem } from '../problem.ts';
import { SpawnWorker } from '../workers/spawner.ts';
import type { WorkerKind } from '../workers/worker-pool.ts';

/** The controlling terminal of whichever process opens it. */
const OWN_TERMINAL = '/dev/tty';

export interface LandlockWorkerOptions {
  readonly workerFile: string;
  readonly probeFolder: string | undefined;
  systemReads(confinement: Confinement): Promise<SystemReads>;
  /** See `OperationMarks.alone`. */
  readonly alone: (task: () => Promise<void>) => Promise<void>;
  /** The service that records denied accesses. */
  reports(): DenyReports;
  /** Path of the only terminal that its programs may use. */
  readonly terminal?: string | undefined;
}

/** Workers confined by Landlock, a system call filter and reduced capabilities; each is tested before use. */
export function landlockWorkers(
  confinement: Confinement,
  options: LandlockWorkerOptions,
): WorkerKind<SpawnWorker> {
  const { scope, read, write } = confinement;
  return {
    key: confinementKey(confinement),
    stamp: () => {
      const places = placeStamp([scope, ...read, ...write]);
      // Without the same observer, programs of a worker cannot open any file.
      return confinement.denyReport ? `${places} ${options.reports().id}` : places;
    },
    make: async () => {
      await requirePlaces([scope, ...write]);
      const system = await options.systemReads(confinement);
      const devices = options.terminal === undefined ? [] : [options.terminal, OWN_TERMINAL];
      const plan = confinementPlan(confinement, [
        ...system.rules,
        ...devices.map((path) => ({ path, access: 'device' as const })),
      ]);
      const canary = await makeCanary(plan.paths, options.probeFolder);
      try {
        const order = { plan: { confinement: plan, canary } };
        return await SpawnWorker.create(options.workerFile, order, {
          onListening: (listener) => options.reports().serve(listener, plan.paths),
          alone: async (task) => options.alone(task),
        });
      } finally {
        await removeCanary(canary);
      }
    },
  };
}

/** Writable folders must exist: rules can only be made for existing files. @throws SandboxProblem */
export async function requirePlaces(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined) continue;
    throw new SandboxProblem({
      message: `${path} does not exist, so access to it cannot be allowed.`,
      suggestion: 'Create the folder, or choose another scope.',
    });
  }
}
