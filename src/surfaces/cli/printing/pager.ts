import { spawn } from 'node:child_process';
import type { Environment } from '../../../wire/client-frames.ts';

/** Exit codes of a shell that could not run a program. */
const NOT_RUN = new Set([126, 127]);

/**
 * Shows a text in the user's pager and resolves when that has ended.
 * @returns whether it was shown: there may be no pager
 */
export async function page(text: string, environment: Environment): Promise<boolean> {
  const named = environment['PAGER'] ?? '';
  // A command line for a shell, by convention. Less ends by itself if everything fits, shows colours and keeps the text on the screen.
  const pager = spawn('/bin/sh', ['-c', named.trim() === '' ? 'less' : named], {
    env: { ...environment, LESS: environment['LESS'] ?? 'FRX' },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = new Promise<boolean>((resolve) => {
    pager.once('error', () => resolve(false));
    pager.once('close', (code) => resolve(code === null || !NOT_RUN.has(code)));
  });
  // Leaving a pager before it has read everything is usual.
  pager.stdin.on('error', () => undefined).end(text);
  return ended;
}
