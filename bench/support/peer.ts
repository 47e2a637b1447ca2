import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { CannotMeasure } from './figures.ts';

/** Debian's Python: another one has no GObject introspection. */
const PYTHON = '/usr/bin/python3';
const PEERS = 'bench/peers';
const LIMIT_MS = 180_000;

/** Runs one of our Python scripts in a desktop and reads the JSON object it prints. */
export async function runPeer<T>(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  shape: z.ZodType<T>,
): Promise<T> {
  if (!existsSync(PYTHON)) {
    throw new CannotMeasure(`${PYTHON} is missing. Install it: apt-get install python3 python3-pyatspi`);
  }
  const output = await new Promise<string>((resolve, reject) => {
    const options = { env: { ...environment }, timeout: LIMIT_MS };
    execFile(PYTHON, [path.join(PEERS, script), ...args], options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(new CannotMeasure(explain(script, stderr || error.message)));
    });
  });
  return shape.parse(JSON.parse(output));
}

function explain(script: string, complaint: string): string {
  if (/ModuleNotFoundError|ImportError|Namespace Atspi/.test(complaint)) {
    return 'pyatspi is missing. Install it: apt-get install python3-pyatspi gir1.2-atspi-2.0';
  }
  return `${script} failed: ${complaint.trim().split('\n').at(-1) ?? 'no reason given'}`;
}
