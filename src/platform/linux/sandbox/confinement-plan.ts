import type { Confinement } from '../../../model/tools/confinement.ts';
import type { ConfinementPlan } from './landlock/confine-thread.ts';
import type { PathRule } from './landlock/landlock.ts';

/** The rules for a thread, from the requested confinement and the readable parts of the system. */
export function confinementPlan(confinement: Confinement, system: readonly PathRule[]): ConfinementPlan {
  const { scope, read, write, network, unixSockets, denyReport } = confinement;
  return {
    paths: [
      ...system,
      ...read.map((path): PathRule => ({ path, access: 'execute' })),
      ...[scope, ...write].map((path): PathRule => ({ path, access: 'write' })),
    ],
    network,
    unixSockets,
    denyReport,
  };
}
