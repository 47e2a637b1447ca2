import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Longer than any chain of shells and multiplexers. */
const MOST_GENERATIONS = 64;
/** Variables in the starting environment of everything that Deskterity runs for a caller. */
const OURS = /(?:^|\0)(?:DESKTERITY_OPERATION|DESKTERITY_PRIVATE_DESKTOP)=/;
/** Programs of ours that start others. */
const STARTERS = new Set(['daemon.cjs', 'holder.cjs']);

/** Reads a file below `/proc`. @throws Error of the file system */
export type ReadProcessFile = (path: string) => string;

/**
 * Why nobody at the controlling terminal of a process can be asked, as the end of a sentence; `undefined` if somebody may be there. Only the
 * kernel is believed: variables of the process itself may have been chosen by an agent.
 */
export function whyNobodyIsThere(
  pid: number,
  read: ReadProcessFile = (path) => readFileSync(`/proc/${path}`, 'utf8'),
): string | undefined {
  try {
    const { group, terminal, foreground } = statusOf(pid, read);
    if (terminal === 0) return 'it has no terminal';
    if (group !== foreground) return 'it is not in the foreground of its terminal';
    // Operations and terminals of ours are marked with this limit, which cannot be raised again; all else has none.
    if (!/^Max file locks\s+\S+\s+unlimited/m.test(read(`${pid}/limits`))) return OWN;
    return isOurs(pid, read) ? OWN : undefined;
  } catch {
    return 'its terminal cannot be examined';
  }
}

const OWN = 'Deskterity itself opened its terminal';

function isOurs(pid: number, read: ReadProcessFile): boolean {
  let at = pid;
  for (let generation = 0; at > 1 && generation < MOST_GENERATIONS; generation += 1) {
    // Processes of other users, such as a login, are none of ours.
    const [environment, words] = [quietly(read, `${at}/environ`), quietly(read, `${at}/cmdline`)];
    if (OURS.test(environment) || words.split('\0').some((word) => STARTERS.has(basename(word)))) return true;
    at = statusOf(at, read).parent;
  }
  return false;
}

function quietly(read: ReadProcessFile, path: string): string {
  try {
    return read(path);
  } catch {
    return '';
  }
}

function statusOf(
  pid: number,
  read: ReadProcessFile,
): {
  readonly parent: number;
  readonly group: number;
  readonly terminal: number;
  readonly foreground: number;
} {
  const text = read(`${pid}/stat`);
  // The name before it may contain anything.
  const numbers = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent, group, , terminal, foreground] = numbers;
  if (parent === undefined || group === undefined || terminal === undefined || foreground === undefined)
    throw new Error('an unknown form of /proc/PID/stat');
  return { parent, group, terminal, foreground };
}
