import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { NeededProgram } from '../system-packages.ts';
import type { DesktopFolder } from './folder.ts';
import type { DesktopPrograms } from './programs.ts';
import type { ServiceRequest } from './service.ts';
import { startGnome } from './gnome.ts';
import { startKwin } from './kwin.ts';
import { sessionBusAddress, systemBusAddress } from './session-bus.ts';
import { startSway } from './sway.ts';
import { startWindowManager } from './window-manager.ts';
import { startXServer, xAuthorityFile } from './x-server.ts';

/** The display servers that a private desktop can have. */
const PRIVATE_DISPLAYS = ['x11', 'wayland', 'kwin', 'gnome'] as const;
export type PrivateDisplay = (typeof PRIVATE_DISPLAYS)[number];

/** @throws DeskterityError INVALID_ARGUMENT for a name that is none of them */
export function privateDisplay(name: string): PrivateDisplay {
  const found = PRIVATE_DISPLAYS.find((known) => known === name.toLowerCase());
  if (found !== undefined) return found;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `A private desktop cannot have the display ${JSON.stringify(name.slice(0, 40))}.`,
    { suggestion: `Choose ${PRIVATE_DISPLAYS.slice(0, -1).join(', ')} or ${PRIVATE_DISPLAYS.at(-1)}.` },
  );
}

export interface DisplayRequest extends Omit<ServiceRequest, 'program'> {
  readonly programs: DesktopPrograms;
  readonly folder: DesktopFolder;
  readonly width: number;
  readonly height: number;
  /** See `PrivateDesktopOptions`. */
  readonly hasXwayland: boolean;
  /** Resolves when the session bus listens. */
  readonly bus: Promise<unknown>;
  /** Called before an X display number is locked. */
  readonly onNumber: (number: number) => void;
}

/** A display that accepts programs. */
export interface ShownDisplay {
  /** `:N` or `wayland-N`. */
  readonly name: string;
  /** What its programs need to find it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when its windows are managed, too. */
  readonly managed: Promise<unknown>;
}

/** One kind of display server for private desktops. */
interface DisplayServer {
  readonly needed: readonly NeededProgram[];
  /** Variables that are known before it starts. */
  variables(folder: DesktopFolder): Readonly<Record<string, string>>;
  start(request: DisplayRequest): Promise<ShownDisplay>;
}

const X11: DisplayServer = {
  needed: ['Xvfb', 'openbox'],
  variables: (folder) => ({
    XAUTHORITY: folder.authorityFile,
    XDG_SESSION_TYPE: 'x11',
    GDK_BACKEND: 'x11',
    QT_QPA_PLATFORM: 'xcb',
  }),
  start: async ({ programs, folder, ...request }) => {
    writeFileSync(folder.authorityFile, xAuthorityFile(randomBytes(16)), { mode: 0o600 });
    const name = await startXServer({
      ...request,
      program: programs.of('Xvfb'),
      authorityFile: folder.authorityFile,
    });
    const variables = { DISPLAY: name };
    const managed = startWindowManager({
      ...request,
      program: programs.of('openbox'),
      environment: { ...request.environment, ...variables },
      configFolder: folder.runtime,
    });
    managed.catch(() => undefined);
    return { name, variables, managed };
  },
};

const ON_WAYLAND = {
  XDG_SESSION_TYPE: 'wayland',
  GDK_BACKEND: 'wayland',
  QT_QPA_PLATFORM: 'wayland',
  MOZ_ENABLE_WAYLAND: '1',
  ELECTRON_OZONE_PLATFORM_HINT: 'wayland',
};

const WAYLAND: DisplayServer = {
  needed: ['sway'],
  variables: (folder) => ({
    ...ON_WAYLAND,
    XDG_CURRENT_DESKTOP: 'sway',
    SWAYSOCK: path.join(folder.runtime, 'sway.sock'),
  }),
  start: async ({ programs, folder, ...request }) => {
    const { wayland, x11 } = await startSway({
      ...request,
      program: programs.of('sway'),
      configFolder: folder.runtime,
    });
    const variables = { WAYLAND_DISPLAY: wayland, ...(x11 === undefined ? {} : { DISPLAY: x11 }) };
    return { name: wayland, variables, managed: Promise.resolve() };
  },
};

/** For trying programs, and us, under the compositor of KDE Plasma. */
const KWIN: DisplayServer = {
  needed: ['kwin_wayland'],
  variables: () => ({ ...ON_WAYLAND, XDG_CURRENT_DESKTOP: 'KDE' }),
  start: async ({ programs, folder, bus, ...request }) => {
    await bus;
    const name = await startKwin({
      ...request,
      program: programs.of('kwin_wayland'),
      folder: folder.runtime,
    });
    return { name, variables: { WAYLAND_DISPLAY: name }, managed: Promise.resolve() };
  },
};

/** The same for GNOME. */
const GNOME: DisplayServer = {
  needed: ['gnome-shell', 'pipewire'],
  variables: ({ runtime }) => ({
    ...ON_WAYLAND,
    XDG_CURRENT_DESKTOP: 'GNOME',
    DBUS_SYSTEM_BUS_ADDRESS: systemBusAddress(runtime),
  }),
  start: async ({ programs, folder: { runtime }, bus, ...request }) => {
    await bus;
    const name = await startGnome({
      ...request,
      programs: {
        bus: programs.of('dbus-daemon'),
        pipewire: programs.of('pipewire'),
        shell: programs.of('gnome-shell'),
      },
      folder: runtime,
      busAddress: sessionBusAddress(runtime),
    });
    return { name, variables: { WAYLAND_DISPLAY: name }, managed: Promise.resolve() };
  },
};

export const DISPLAY_SERVERS: Readonly<Record<PrivateDisplay, DisplayServer>> = {
  x11: X11,
  wayland: WAYLAND,
  kwin: KWIN,
  gnome: GNOME,
};
