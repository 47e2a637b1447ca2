import type { ProgramFacts, ProgramFactsPort, RelatedProcess } from '../../ports/policy/program-facts.ts';
import { allNames } from '../rules/application-names.ts';
import { plain } from '../rules/pattern.ts';
import type { CallerHosts } from './caller-hosts.ts';

/** Programs, for whoever explains what would be decided about them. */
export interface ExplainedPrograms extends Pick<ProgramFactsPort, 'ofApplication'> {
  related(program: ProgramFacts): Promise<readonly RelatedProcess[]>;
}

/** Processes from which callers come and that run this program. */
export async function relatedProcesses(
  wanted: ProgramFacts,
  hosts: Pick<CallerHosts, 'possible'>,
  programs: Pick<ProgramFactsPort, 'ofProcess'>,
): Promise<readonly RelatedProcess[]> {
  const found: RelatedProcess[] = [];
  for (const one of await hosts.possible())
    if (isSame(wanted, await programs.ofProcess(one.pid, false))) found.push(one);
  return found;
}

/** A script is named by what runs it. */
function isSame({ executable, otherNames }: ProgramFacts, running: ProgramFacts): boolean {
  if (executable !== undefined && executable === running.executable) return true;
  const names = new Set(allNames(running).map(plain));
  const wanted = executable === undefined ? otherNames : [executable];
  return wanted.some((name) => names.has(plain(name)));
}
