import { exitCodeOfLost, writeAll } from '../printing/output.ts';
import type { ClientVerb } from './verb.ts';

/** Prints the guide as plain text, whatever the format: it is read, not parsed. */
export const verb: ClientVerb = {
  run: async ({ stdout }) => {
    const { manual } = await import('../printing/manual.generated.ts');
    return (await writeAll(stdout, `${manual.guide}\n`)) ? 0 : exitCodeOfLost(0);
  },
};
