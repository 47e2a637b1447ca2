import type { Confinement } from '../../../model/tools/confinement.ts';
import type { ConfinementPlan } from './landlock/confine-thread.ts';
import type { PathRule } from './landlock/landlock.ts';

/** The rules for a thread, from the requested confinement and the readable parts of the system. */
export function confinementPlan(confinement: Confinement, system: readonly PathRule[]): ConfinementPlan {
  const { scope, read, write, network, unixSockets, denyReport, same = [] } = confinement;
  const rule = (path: string, access: PathRule['access']): PathRule => ({
    path,
    access,
    same: same.find((place) => place.path === path),
  });
  return {
    paths: [
      ...system,
      ...read.map((path) => rule(path, 'execute')),
      ...[scope, ...write].map((path) => rule(path, 'write')),
    ],
    network,
    unixSockets,
    denyReport,
  };
}
