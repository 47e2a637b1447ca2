import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { BusConnection, Variant } from '../dbus/index.ts';
import { GnomeSetup } from '../setup/gnome/gnome-setup.ts';
import { startService, type ServiceRequest } from './service.ts';
import { startSystemBus } from './session-bus.ts';

const READY = 'deskterity-gnome-ready';
const DISPLAY = 'wayland-1';
const SHELL_NAME = 'org.gnome.Shell';
const SHELL_PATH = '/org/gnome/Shell';
/** It loads its scripts for some seconds after it listens. */
const START_MS = 60_000;
const LOOK_MS = 50;

/** Starts a program and says so once its socket is there, or ends if the program does; there is nothing else to wait for. */
const UNTIL_SOCKET = `socket=$1; shift
"$@" & child=$!
until [ -S "$socket" ]; do kill -0 $child 2>/dev/null || exit 1; sleep 0.05; done
echo ${READY} >&3; exec 3>&-
wait $child`;

export interface GnomeRequest extends Omit<ServiceRequest, 'program'> {
  readonly programs: { readonly bus: string; readonly pipewire: string; readonly shell: string };
  readonly width: number;
  readonly height: number;
  /** Where its sockets are. */
  readonly folder: string;
  readonly busAddress: string;
}

/**
 * Starts GNOME Shell without a screen, and returns the name of its display. It needs a system bus, which is one without services here, and PipeWire for places
 * of the pointer.
 * @throws DeskterityError DISPLAY_UNAVAILABLE
 */
export async function startGnome(request: GnomeRequest): Promise<string> {
  const { programs, folder, width, height } = request;
  await Promise.all([
    startSystemBus({ ...request, program: programs.bus, runtimeFolder: folder }),
    untilSocket(request, 'pipewire', path.join(folder, 'pipewire-0'), [programs.pipewire]),
  ]);
  // Only what runs in the desktop reaches it. Without it the desktop works, with less.
  await new GnomeSetup()
    .run({ environment: request.environment, isUndo: false, isTrial: false })
    .catch(() => undefined);
  const monitor = `${width}x${height}`;
  const args = ['--headless', '--virtual-monitor', monitor, '--wayland-display', DISPLAY, '--no-x11'];
  await untilSocket(request, 'gnome-shell', path.join(folder, DISPLAY), [programs.shell, ...args]);
  await leaveOverview(request);
  return DISPLAY;
}

async function untilSocket(
  request: GnomeRequest,
  name: string,
  socket: string,
  command: readonly string[],
): Promise<void> {
  const args = ['-c', UNTIL_SOCKET, 'sh', socket, ...command];
  await startService({ ...request, program: '/bin/sh' }, { name, args, readyDescriptor: 3 });
}

/**
 * It starts with the overview, under which nothing can be clicked. Its object appears after its name, and the overview after that; nothing tells when all
 * of it is there.
 */
async function leaveOverview({ busAddress, signal }: GnomeRequest): Promise<void> {
  const options = { deadlineMs: START_MS, signal };
  const property = [SHELL_NAME, SHELL_PATH, SHELL_NAME, 'OverviewActive'] as const;
  let bus: BusConnection | undefined;
  try {
    const connection = await BusConnection.connect(busAddress, options);
    bus = connection;
    const isShown = async (): Promise<boolean | undefined> => {
      const value = await connection.getProperty(...property, options).catch(() => undefined);
      const shown = value instanceof Variant ? value.value : value;
      return typeof shown === 'boolean' ? shown : undefined;
    };
    const end = performance.now() + START_MS;
    const until = async (wanted: boolean): Promise<void> => {
      while ((await isShown()) !== wanted) {
        if (performance.now() > end) throw new Error(`its overview is not ${wanted ? 'shown' : 'left'}`);
        await sleep(LOOK_MS, undefined, { signal });
      }
    };
    await until(true);
    await connection.setProperty(...property, new Variant('b', false), options);
    await until(false);
  } catch (error) {
    throw new DeskterityError(
      'DISPLAY_UNAVAILABLE',
      'The private desktop did not start: GNOME Shell was not ready.',
      {
        suggestion: 'Run gnome-shell in a terminal to see why it does not start.',
        platformDetail: error instanceof Error ? error.message : String(error),
        cause: error,
      },
    );
  } finally {
    bus?.close();
  }
}
