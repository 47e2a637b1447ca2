import { readFileSync } from 'node:fs';

/**
 * Whether a process runs. One that has ended but was not yet collected by its parent does not, although signals still reach it: in a
 * container whose first process collects nobody, one that was killed keeps its number for good.
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the state follows it, and as the 18th field from there the number of threads.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // While one of them still ends, so do files and sockets still stay open, whatever the state says.
    return !/^[ZX]/.test(fields[0] ?? '') || Number(fields[17]) > 1;
  } catch {
    // A system that does not have this file.
    return true;
  }
}
