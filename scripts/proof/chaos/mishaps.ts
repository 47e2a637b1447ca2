import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';

const LIMIT_MS = 10_000;
const Screens = z.array(z.object({ rect: z.object({ width: z.number(), height: z.number() }) }));

/**
 * What happens to a Wayland desktop for a while, though no process ends. The screen shrinks and begins elsewhere: sway 1.7 cannot unplug a headless
 * one, and its `disable` and `dpms off` succeed without an effect.
 */
export const MISHAPS = ['screen changed', 'session locked'] as const;
export type Mishap = (typeof MISHAPS)[number];

/** Lets it happen on the desktop of an application of sway. @returns what ends it */
export async function befall(mishap: Mishap, application: number): Promise<() => Promise<void>> {
  const env = environmentOf(application);
  const swaymsg = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('swaymsg', args, { env, timeout: LIMIT_MS })).stdout;
  const resize = async (width: number, height: number, x: number, y: number): Promise<void> => {
    await swaymsg(`output HEADLESS-1 resolution ${width}x${height} position ${x} ${y}`);
  };
  if (mishap === 'screen changed') {
    const [screen] = Screens.parse(JSON.parse(await swaymsg('-t', 'get_outputs')));
    await resize(600, 400, -300, -200);
    return async () => {
      if (screen !== undefined) await resize(screen.rect.width, screen.rect.height, 0, 0);
    };
  }
  const locker = spawn('swaylock', ['--color', '101010'], { env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => locker.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    locker.once('spawn', resolve);
    locker.once('error', reject);
  });
  return async () => {
    // As a right password would.
    locker.kill('SIGUSR1');
    await ended;
  };
}

/** The variables of the desktop that a process runs on. */
function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
