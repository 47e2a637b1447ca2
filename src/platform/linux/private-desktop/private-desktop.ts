import { randomBytes } from 'node:crypto';
import { writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../../model/error-code.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { startAccessibility } from './accessibility.ts';
import { processStartTime, sessionMembers } from '../process/facts.ts';
import { DISPLAY_SERVERS, type PrivateDisplay } from './display-server.ts';
import { desktopEnvironment } from './environment.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import { createFolder, desktopFolder, unusableFolder, type DesktopFolder } from './folder.ts';
import { requireUnusedHome } from './kept-home.ts';
import { currentOwner } from './owner.ts';
import { findPrograms, type DesktopPrograms } from './programs.ts';
import { sessionBusAddress, startSessionBus } from './session-bus.ts';
import { Supervisor } from './supervisor.ts';
import { sweepLeftovers } from './sweep.ts';
import { limitedSignal } from '../../../model/limited-signal.ts';

export interface PrivateDesktopOptions {
  /** Its display server; default an X server. */
  readonly display?: PrivateDisplay | undefined;
  /** Default 1920. */
  readonly width?: number | undefined;
  /** Default 1080. */
  readonly height?: number | undefined;
  /** Whether sway serves X11 programs, too. Default false: a sway that is killed leaves the X socket. */
  readonly hasXwayland?: boolean | undefined;
  /** For the whole start. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A folder to use as HOME and keep afterwards; default a new one that is removed with the desktop. */
  readonly home?: string | undefined;
  /** The session that it belongs to. */
  readonly session?: string | undefined;
  /** Variables for programs to inherit, except those of the surrounding session. Default `process.env`. */
  readonly inherit?: Environment | undefined;
}

interface Started {
  readonly display: string;
  readonly accessibilityBusAddress: string;
  readonly environment: Record<string, string>;
}

/**
 * A virtual desktop with its own display server, window manager, session bus, accessibility bus, HOME and runtime folder. Everything in it ends
 * with {@link stop} or with this process, whichever comes first and however this process ends.
 */
export class PrivateDesktop {
  /** Also the value of the marker variable of every process in it. */
  readonly id: string;
  /** `:N` or `wayland-N`. */
  readonly display: string;
  /** The complete environment for programs in the desktop. */
  readonly environment: Readonly<Record<string, string>>;
  readonly accessibilityBusAddress: string;
  /** The folder that its programs have as HOME. */
  readonly home: string;
  readonly screen: { readonly width: number; readonly height: number };
  readonly readyInMs: number;
  readonly #supervisor: Supervisor;
  readonly #adopted = new Map<number, string>();
  #stopped: Promise<void> | undefined;

  private constructor(
    id: string,
    started: Started,
    screen: { width: number; height: number },
    readyInMs: number,
    supervisor: Supervisor,
  ) {
    this.id = id;
    this.display = started.display;
    this.environment = started.environment;
    this.home = started.environment['HOME'] ?? '';
    this.accessibilityBusAddress = started.accessibilityBusAddress;
    this.screen = screen;
    this.readyInMs = readyInMs;
    this.#supervisor = supervisor;
  }

  /**
   * @throws DeskterityError DISPLAY_UNAVAILABLE if a program is missing (naming its package) or fails to start, BUS_UNAVAILABLE, TIMEOUT
   * after the deadline, CANCELLED, CONFLICT if another running desktop has its HOME.
   */
  static async start(options: PrivateDesktopOptions): Promise<PrivateDesktop> {
    const begin = performance.now();
    const screen = { width: options.width ?? 1920, height: options.height ?? 1080 };
    const id = randomBytes(5).toString('hex');
    const folder = desktopFolder(id, options.home);
    const kind = options.display ?? 'x11';
    const server = DISPLAY_SERVERS[kind];
    const environment = desktopEnvironment(
      id,
      folder,
      { busAddress: sessionBusAddress(folder.runtime), ofDisplay: server.variables(folder) },
      options.inherit ?? process.env,
    );
    const programs = findPrograms(server.needed, {
      path: environment['PATH'] ?? '',
      dataFolders: environment['XDG_DATA_DIRS'] ?? '',
    });
    // First of all, so that it notices if this process is killed at any later moment.
    const supervisor = new Supervisor({ id, folder: folder.root, ownerPid: process.pid });
    const { signal, isOver, release } = limitedSignal(options);
    try {
      void sweepLeftovers();
      createFolder(folder, currentOwner({ home: options.home, session: options.session }));
      if (options.home !== undefined) requireUnusedHome(options.home, id);
      prepareHome(folder.home);
      const started = await startServices({
        kind,
        programs,
        folder,
        environment,
        screen,
        hasXwayland: options.hasXwayland === true,
        supervisor,
        signal,
        deadlineMs: options.deadlineMs,
      });
      return new PrivateDesktop(id, started, screen, Math.round(performance.now() - begin), supervisor);
    } catch (error) {
      await supervisor.finish();
      if (options.signal?.aborted === true) throw startCancelled(error);
      throw isOver() ? startTimedOut(options.deadlineMs, error) : error;
    } finally {
      release();
    }
  }

  /**
   * Registers a program launched as leader of its own session with the supervisor, so that its children end too, even those that hide their
   * environment, as browsers do.
   */
  adopt(pid: number): void {
    const startTime = processStartTime(pid);
    if (startTime === undefined) return;
    this.#adopted.set(pid, startTime);
    this.#supervisor.noteProcess(pid, startTime);
  }

  /** Call when an adopted program has exited. */
  release(pid: number): void {
    const startTime = this.#adopted.get(pid);
    if (startTime === undefined || sessionMembers(pid).length > 0) return;
    this.#adopted.delete(pid);
    this.#supervisor.forgetProcess(pid, startTime);
  }

  /** Ends every program in the desktop and removes its folder. */
  stop(): Promise<void> {
    this.#stopped ??= this.#supervisor.finish();
    return this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function startTimedOut(deadlineMs: number, cause: unknown): DeskterityError {
  return new DeskterityError('TIMEOUT', `The private desktop was not ready within ${deadlineMs} ms.`, {
    suggestion: 'Try again with a longer deadline; the machine may be busy.',
    platformDetail: cause instanceof Error ? cause.message : String(cause),
    retryable: true,
    cause,
  });
}

function startCancelled(cause: unknown): DeskterityError {
  return new DeskterityError('CANCELLED', 'The start of the private desktop was cancelled.', {
    suggestion: 'Start it again when you need it.',
    cause,
  });
}

async function startServices(request: {
  readonly kind: PrivateDisplay;
  readonly programs: DesktopPrograms;
  readonly folder: DesktopFolder;
  readonly environment: Readonly<Record<string, string>>;
  readonly screen: { readonly width: number; readonly height: number };
  readonly hasXwayland: boolean;
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}): Promise<Started> {
  const { programs, folder, supervisor, signal, screen, hasXwayland, environment } = request;
  const common = {
    logFolder: folder.logs,
    signal,
    environment,
    onStarted: (pid: number, startTime: string): void => supervisor.noteService(pid, startTime),
  };
  const bus = startSessionBus({
    ...common,
    program: programs.of('dbus-daemon'),
    runtimeFolder: folder.runtime,
  });
  bus.catch(() => undefined);
  const { name, variables, managed } = await DISPLAY_SERVERS[request.kind].start({
    ...common,
    ...screen,
    hasXwayland,
    programs,
    folder,
    bus,
    onNumber: (number) => supervisor.noteDisplay(number),
  });
  await bus;
  const accessibilityBusAddress = await startAccessibility({
    busAddress: sessionBusAddress(folder.runtime),
    variables,
    deadlineMs: request.deadlineMs,
    signal,
  });
  await managed;
  return { display: name, accessibilityBusAddress, environment: { ...environment, ...variables } };
}

const GTK_SETTINGS = `[Settings]
gtk-enable-animations=0
gtk-cursor-blink=0
gtk-error-bell=0
gtk-theme-name=Adwaita
gtk-icon-theme-name=Adwaita
`;

const GSETTINGS = `[org/gnome/desktop/interface]
toolkit-accessibility=true
enable-animations=false
enable-hot-corners=false
cursor-blink=false

[org/gnome/shell]
welcome-dialog-last-shown-version='999'

[org/gnome/desktop/session]
idle-delay=uint32 0
`;

const KDE_SETTINGS = `[KDE]
AnimationDurationFactor=0
`;

const FILES: Readonly<Record<string, string>> = {
  '.config/gtk-3.0/settings.ini': GTK_SETTINGS,
  '.config/gtk-4.0/settings.ini': GTK_SETTINGS,
  '.config/glib-2.0/settings/keyfile': GSETTINGS,
  '.config/kdeglobals': KDE_SETTINGS,
};

/** @throws DeskterityError DISPLAY_UNAVAILABLE with the reason if HOME cannot be written */
function prepareHome(home: string): void {
  try {
    writeSettings(home);
  } catch (error) {
    throw unusableFolder(home, error);
  }
}

/** Writes settings into a HOME: no animations, no blinking cursors, accessibility on. Existing files are kept. */
function writeSettings(home: string): void {
  for (const folder of ['.cache', '.local/share', '.local/state']) {
    mkdirSync(path.join(home, folder), { recursive: true, mode: 0o700 });
  }
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
