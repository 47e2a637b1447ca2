import type { Ran } from './support.ts';

/** Removes everything that may differ between two runs: durations, cursors, times, process ids and costs. */
export function masked(ran: Pick<Ran, 'exitCode' | 'stdout' | 'stderr'>): {
  readonly exitCode: number | string;
  readonly stdout: unknown;
  readonly stderr: string;
} {
  return { exitCode: ran.exitCode, stdout: maskText(ran.stdout), stderr: maskText(ran.stderr) };
}

function maskText(text: string): string {
  return text
    .replaceAll(/("(?:duration_ms|waited_ms|pid|uptime_ms|call_count)":\s*)\d+(?:\.\d+)?/g, '$1#')
    .replaceAll(/"c\d+"/g, '"c#"')
    .replaceAll(/\b\d+(?:\.\d+)? ms\b/g, '# ms')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '#time');
}
