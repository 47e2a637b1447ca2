import { exitCodeOfLost, writeAll } from '../../printing/output.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { COMPLETION_SCRIPTS } from './completion-scripts.ts';
import type { ClientVerb } from '../verb.ts';

/** Prints the script for one shell. */
export const verb: ClientVerb = {
  run: async ({ input, stdout }) => {
    const { shell } = input;
    const script = COMPLETION_SCRIPTS.get(typeof shell === 'string' ? shell : '');
    const known = [...COMPLETION_SCRIPTS.keys()].join(', ');
    if (script === undefined) {
      const message =
        shell === undefined
          ? 'desk completion needs the name of a shell.'
          : `There are no completions for ${JSON.stringify(shell).slice(0, 80)}.`;
      throw new UsageError('completion', message, `Give one of ${known}: desk completion bash`);
    }
    return (await writeAll(stdout, script)) ? 0 : exitCodeOfLost(0);
  },
};
