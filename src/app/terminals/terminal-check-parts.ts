import { realpath } from 'node:fs/promises';
import { createPlatform } from '../../platform/select.ts';
import type { TerminalsPort } from '../../ports/terminals.ts';
import type { LineCheckParts } from '../check-command-lines.ts';
import { shellFor, startTerminal, USUAL_SIZE } from './start-terminal.ts';
import type { StartTerminalParts } from './start-terminal.ts';
import { terminalLogFolder } from './terminal-logs.ts';

/** What `desk doctor` tries terminals with: as calls of this caller have them. */
export function terminalCheckParts({
  start,
  terminals,
  cache,
}: {
  readonly start: StartTerminalParts;
  readonly terminals: () => Promise<TerminalsPort>;
  readonly cache: string;
}): LineCheckParts['terminal'] {
  const { caller, configuration } = start;
  const { path: shell, inPlaceOf } = shellFor(caller.environment);
  const { find: findProgram, isExecutable } = createPlatform().programs;
  return {
    terminals,
    start: async (port, tag) =>
      startTerminal(start, port, {
        name: { projectPath: await realpath(caller.cwd), tag },
        isConfined: false,
        size: USUAL_SIZE,
      }),
    shell,
    inPlaceOf,
    findProgram,
    isExecutable,
    logFolder: () => terminalLogFolder({ caller, configuration, cache }),
  };
}
