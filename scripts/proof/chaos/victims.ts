import type { Member, World } from '../../../tests/e2e/support/kill-world.ts';
import type { SessionApp } from '../session-app.ts';

export const VICTIMS = [
  'daemon',
  'supervisor',
  'holder',
  'accessibility bus',
  'session bus',
  'X server',
  'window manager',
  'application',
] as const;
export type Victim = (typeof VICTIMS)[number];

export const WAYS = ['killed', 'frozen'] as const;
export type Way = (typeof WAYS)[number];

const COMMANDS: Readonly<Partial<Record<Victim, RegExp>>> = {
  supervisor: /deskterity-desktop-supervisor/,
  holder: /\/holder\.js /,
  'accessibility bus': /dbus-daemon .*accessibility\.conf/,
  'session bus': /dbus-daemon .*session-bus\.conf/,
  'X server': /\bXvfb :/,
  'window manager': /\bopenbox /,
};

/** The process that is to be struck. @throws Error if there is none */
export function pidOf(victim: Victim, world: World, app: SessionApp): number {
  const members = world.members();
  const pid =
    victim === 'application' ? app.pid : victim === 'daemon' ? world.recordedDaemon() : of(victim, members);
  if (pid === undefined)
    throw new Error(`no ${victim} among ${members.map(({ command }) => command.slice(0, 80)).join('; ')}`);
  return pid;
}

function of(victim: Victim, members: readonly Member[]): number | undefined {
  return members.find(({ command }) => COMMANDS[victim]?.test(command))?.pid;
}

/** Whether a private desktop, with all that runs on it, ends when this process is killed. */
export function endsDesktop(victim: Victim): boolean {
  return victim === 'daemon' || victim === 'X server' || victim === 'session bus';
}
