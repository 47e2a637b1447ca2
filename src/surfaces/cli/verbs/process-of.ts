import { readFileSync } from 'node:fs';

/** When a process began, in ticks of the system; tells it from a later one with its number. `undefined` where that is not known. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may have spaces; the state follows it, the start time is the twentieth field from there.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}

export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone by itself meanwhile, or not ours; the caller looks.
  }
}

/** The process that a daemon has noted beside its socket, when it is still one. */
export function notedDaemon(socket: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(`${socket}.pid`, 'utf8'), 10);
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.some((word) => /(?:^|[\\/])daemon\.js$/.test(word)) ? pid : undefined;
  } catch {
    return undefined;
  }
}
