import type { Member, World } from '../../../tests/e2e/support/kill-world.ts';
import type { SessionApp } from '../session-app.ts';
import { MISHAPS, type Mishap } from './mishaps.ts';

const ON_ALL = ['daemon', 'supervisor', 'holder', 'accessibility bus', 'session bus', 'application'] as const;
const OF_X11 = ['X server', 'window manager'] as const;
const OF_WAYLAND = ['compositor'] as const;
export type Victim = (typeof ON_ALL)[number] | (typeof OF_X11)[number] | (typeof OF_WAYLAND)[number];

/** What is done to a process. */
const WAYS = ['killed', 'frozen'] as const;
export type Way = (typeof WAYS)[number];

export type ChaosDisplay = 'x11' | 'wayland';

/** One row of the proof: a process that is struck, or what happens to the whole desktop for a while. */
export type Blow =
  | { readonly row: string; readonly victim: Victim; readonly way: Way }
  | { readonly row: string; readonly mishap: Mishap };

/** All rows of a display. */
export function blowsOn(display: ChaosDisplay): readonly Blow[] {
  const victims: readonly Victim[] = [...ON_ALL, ...(display === 'x11' ? OF_X11 : OF_WAYLAND)];
  const mishaps = display === 'x11' ? [] : MISHAPS;
  return [
    ...victims.flatMap((victim) => WAYS.map((way) => ({ victim, way, row: `${victim} ${way}` }))),
    ...mishaps.map((mishap) => ({ mishap, row: mishap })),
  ];
}

const COMMANDS: Readonly<Partial<Record<Victim, RegExp>>> = {
  supervisor: /deskterity-desktop-supervisor/,
  holder: /\/holder\.js /,
  'accessibility bus': /dbus-daemon .*accessibility\.conf/,
  'session bus': /dbus-daemon .*session-bus\.conf/,
  'X server': /\bXvfb :/,
  'window manager': /\bopenbox /,
  compositor: /^(?:\S*\/)?sway --config /,
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
  return ['daemon', 'X server', 'compositor', 'session bus'].includes(victim);
}
