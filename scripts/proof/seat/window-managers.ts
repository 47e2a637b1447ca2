import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';

const CALL = { deadlineMs: 5000 };
const START_MS = 20_000;

/** A window manager that takes the place of another one on a running display. */
export interface WindowManager {
  /** As {@link requireProven} knows it; with what is unusual about its settings in brackets. */
  readonly name: string;
  readonly command?: (folder: string) => readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const FOLLOWING = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc"><focus><followMouse>yes</followMouse><focusDelay>0</focusDelay></focus>
<mouse><context name="Client"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context></mouse>
</openbox_config>`;

/** Its bar and its notice would cover what is clicked; its own focus follows the pointer. */
const FLOATING = `# i3 config file (v4)
font pango:monospace 8
for_window [class=".*"] floating enable
`;

export const WINDOW_MANAGERS: readonly WindowManager[] = [
  // That of private desktops.
  { name: 'openbox' },
  { name: 'xfwm4', command: () => ['xfwm4', '--replace', '--compositor=off'] },
  { name: 'mutter', command: () => ['mutter', '--x11', '--replace'] },
  { name: 'kwin', command: () => ['kwin_x11', '--replace'], environment: { KWIN_COMPOSE: 'N' } },
  {
    name: 'i3',
    command: (folder) => {
      const file = join(folder, 'i3.config');
      writeFileSync(file, FLOATING);
      return ['i3', '--replace', '-c', file];
    },
  },
  {
    name: 'openbox (focus follows the pointer)',
    command: (folder) => {
      const file = join(folder, 'follow.xml');
      writeFileSync(file, FOLLOWING);
      return ['openbox', '--replace', '--sm-disable', '--config-file', file];
    },
  },
];

/** Starts it, and waits until it manages the display. Resolves with what ends it. */
export async function startManager(
  { name, command, environment }: WindowManager,
  {
    desktop,
    folder,
    env,
  }: {
    readonly desktop: LinuxDesktop;
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<() => void> {
  if (command === undefined) return () => undefined;
  const [program = '', ...args] = command(folder);
  const child = spawn(program, args, { env: { ...env, ...environment }, stdio: 'ignore' });
  const [wanted = ''] = name.split(' ');
  const end = performance.now() + START_MS;
  // The other one may have the same name.
  await sleep(1000);
  for (;;) {
    const { windowManager = '' } = await desktop.status(CALL);
    if (windowManager.toLowerCase().startsWith(wanted)) break;
    if (performance.now() > end) throw new Error(`${name} does not manage the display`);
    await sleep(100);
  }
  return () => void child.kill('SIGKILL');
}
