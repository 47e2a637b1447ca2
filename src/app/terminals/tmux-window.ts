import { runQuickly } from '../../platform/node/run-quickly.ts';
import { seatPlace } from '../../terminal/windows/seat-place.ts';
import type { Environment } from '../../model/sessions/caller.ts';

const LIMIT_MS = 3000;
const TOLD = ['DISPLAY', 'XAUTHORITY', 'WINDOWID', 'SSH_TTY', 'SSH_CONNECTION'] as const;

/** The window in which somebody looks at a session of tmux. */
export interface TmuxWindow {
  readonly xWindow: string;
  /** Of who looks, as far as it leads to the window. */
  readonly environment: Environment;
}

/** Of the client that was used last; `undefined` where nobody looks, or not in a window of this machine. */
export async function tmuxWindow(
  { socket, session }: { readonly socket: string; readonly session: string },
  environment: Environment,
): Promise<TmuxWindow | undefined> {
  const format = '#{client_activity} #{client_pid}';
  const { stdout } = await runQuickly(['tmux', '-S', socket, 'list-clients', '-t', session, '-F', format], {
    environment,
    limitMs: LIMIT_MS,
  });
  const { startingVariable } = await import('../../platform/linux/process/facts.ts');
  const clients = stdout
    .split('\n')
    .filter((line) => /^\d+ \d+$/.test(line))
    .map((line) => line.split(' ').map(Number))
    .toSorted(([one = 0], [other = 0]) => other - one);
  for (const [, pid = 0] of clients) {
    const around = Object.fromEntries(TOLD.map((name) => [name, startingVariable(pid, name)]));
    const place = seatPlace(around);
    if (place?.application === 'window') return { xWindow: place.xWindow, environment: around };
  }
  return undefined;
}
