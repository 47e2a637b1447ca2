import type { CommandDefinition } from '../definition.ts';
import { flag } from '../parameters.ts';

export const DRY_RUN_KEY = 'dry_run';

/** Input key of a dry run, for every command that {@link takesDryRun}. */
export const DryRunInput = { [DRY_RUN_KEY]: flag('Only check it, and say what would be done.') };

type Facts = Pick<
  CommandDefinition,
  'kind' | 'isReadOnly' | 'runsIn' | 'isOfToolFile' | 'foreignInput' | 'noDryRun'
>;

/** Whether a command has effects, and so a dry run. */
export function takesDryRun({ kind, isReadOnly, ...facts }: Facts): boolean {
  if (kind === 'read' || isReadOnly === true || facts.noDryRun !== undefined) return false;
  // Verbs of the command line, and tools whose parameters belong to others.
  return facts.runsIn === undefined && facts.isOfToolFile !== true && facts.foreignInput === undefined;
}
