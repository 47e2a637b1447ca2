import type { Confinement } from '../../../model/tools/confinement.ts';
import type { ConfinementPlan } from './landlock/confine-thread.ts';
import type { PathRule } from './landlock/landlock.ts';

/** What a thread is to be held to, from what was asked and what of the system may be read. */
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
