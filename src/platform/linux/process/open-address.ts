import { spawn } from 'node:child_process';
import type { Environment } from '../../../model/sessions/caller.ts';
import { findProgram } from '../../node/find-program.ts';

/** A program that still runs after this time has most likely opened a browser, which it waits for. */
const OPENING_MS = 3000;

/** Opens an address in the browser of a desktop. Rejects if `judge` does. @returns whether a browser was started */
export async function openAddress(
  environment: Environment,
  address: string,
  judge: (command: readonly string[]) => Promise<void>,
): Promise<boolean> {
  // Without a desktop it would start a browser for terminals, which nobody sees.
  if (!environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) return false;
  const program = findProgram('xdg-open', environment['PATH'] ?? '');
  if (program === undefined) return false;
  await judge([program, address]);
  const child = spawn(program, [address], { env: environment, stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), OPENING_MS);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
  });
}
