import { exitCodeOfLost, writeAll } from '../printing/output.ts';
import type { VerbContext } from './verb.ts';

/** Prints the answer of a verb in the requested format. */
export async function printAnswer(
  { globals, manifest, stdout, form }: VerbContext,
  command: string,
  result: Readonly<Record<string, unknown>>,
  text: string,
): Promise<number> {
  const { pretty = stdout.isTTY === true } = globals;
  if (form === 'quiet') return 0;
  const envelope = { version: manifest.envelopeVersion, ok: true, command, ...result };
  const line = form === 'json' ? JSON.stringify(envelope, undefined, pretty ? 2 : undefined) : text;
  return (await writeAll(stdout, line === '' ? '' : `${line}\n`)) ? 0 : exitCodeOfLost(0);
}
