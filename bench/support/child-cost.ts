import { z } from 'zod';
import { median } from './figures.ts';
import { runPeer } from './peer.ts';

const Samples = z.object({
  samples: z.array(z.object({ cpu_ms: z.array(z.number()).min(1), wall_ms: z.array(z.number()).min(1) })),
});

/** What one command costs as a separate process, in milliseconds. */
export interface ChildCost {
  /** User and system time of the process: the minimum of all rounds, which other load disturbed least. */
  readonly cpuMs: number;
  readonly cpuMedianMs: number;
  readonly wallMs: readonly number[];
}

/** A server on standard input and output: its wall time ends with the first line of its answer. */
export interface AskedServer {
  readonly command: readonly string[];
  readonly says: string;
}

/**
 * Runs commands alternately, `rounds` times, and returns what each costs.
 * @throws CannotMeasure if one of them fails
 */
export async function childCosts(
  commands: readonly (readonly string[] | AskedServer)[],
  rounds: number,
  environment: Readonly<Record<string, string>>,
): Promise<ChildCost[]> {
  const args = [`${rounds}`, JSON.stringify(commands)];
  const { samples } = await runPeer('child_cpu.py', args, environment, Samples);
  return samples.map(({ cpu_ms: cpu, wall_ms: wallMs }) => ({
    cpuMs: Math.min(...cpu),
    cpuMedianMs: median(cpu),
    wallMs,
  }));
}
