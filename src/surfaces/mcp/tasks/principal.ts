import { createHash } from 'node:crypto';
import { MODE_VARIABLE } from '../../../model/policy/verdict.ts';
import type { Caller } from '../../../model/sessions/caller.ts';
import type { McpOptions } from '../options.ts';

export interface PrincipalParts {
  readonly caller: Caller;
  readonly options: McpOptions;
  /** Of the access token, if there is one. */
  readonly owner?: string | undefined;
  /** How the client is connected. */
  readonly kind?: 'pipe' | 'session' | 'principal' | undefined;
}

/**
 * Who may take over the tasks of a connection that has ended. Clients of the same principal are alike in who they are, in what they may do, and where
 * (the folder that commands are confined to, and that it is still the same folder): they differ only in the ids of tasks that they know.
 */
export function principalOf({ caller, options, owner, kind = 'pipe' }: PrincipalParts): string {
  const { cwd, environment, fixedFolder } = caller;
  const { path, device, inode } = fixedFolder ?? {};
  const chosen = [environment['DESKTERITY_SANDBOX_SCOPE'], environment['AHMA_SANDBOX_SCOPE']];
  const facts = {
    who: [kind, owner],
    where: [cwd, options.session, ...chosen, path, device, inode].map((fact) => fact ?? ''),
    what: [environment[MODE_VARIABLE] ?? '', [...new Set(options.toolsets)].toSorted()],
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}
