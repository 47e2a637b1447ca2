import { mkdirSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';

/** Where a side sees its things. The same in every side, so that paths in titles, files and dialogs are equal. */
export const HOME = '/home/twin';
export const TOOLS = '/home/tools';
export const RUNTIME = '/run/user/1000';
export const DISPLAY = ':1';

const USER = 1000;

/** Services that would reach outside, wait for what is not there, or mount something. Their start fails at once. */
const MASKED_SERVICES = [
  'org.freedesktop.systemd1',
  'org.freedesktop.portal.Desktop',
  'org.freedesktop.portal.Documents',
  'org.freedesktop.portal.Flatpak',
  'org.freedesktop.secrets',
  'org.gnome.keyring',
  'org.gtk.vfs.Daemon',
  'org.gtk.vfs.UDisks2VolumeMonitor',
];

const ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME,
  USER: 'twin',
  LOGNAME: 'twin',
  SHELL: '/bin/sh',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/games',
  DISPLAY,
  XDG_RUNTIME_DIR: RUNTIME,
  XDG_SESSION_TYPE: 'x11',
  XDG_DATA_DIRS: '/usr/local/share:/usr/share',
  XDG_CONFIG_DIRS: '/etc/xdg',
  DBUS_SESSION_BUS_ADDRESS: `unix:path=${RUNTIME}/bus`,
  GDK_BACKEND: 'x11',
  QT_QPA_PLATFORM: 'xcb',
  GSETTINGS_BACKEND: 'keyfile',
  GIO_USE_VFS: 'local',
  GVFS_DISABLE_FUSE: '1',
  GTK_USE_PORTAL: '0',
  // Overlay scroll bars fade in and out with the pointer; both sides show plain ones.
  GTK_OVERLAY_SCROLLING: '0',
  GSK_RENDERER: 'cairo',
  LIBGL_ALWAYS_SOFTWARE: '1',
  ATSPI_DBUS_IMPLEMENTATION: 'dbus-daemon',
  ACCESSIBILITY_ENABLED: '1',
  GNOME_ACCESSIBILITY: '1',
  QT_ACCESSIBILITY: '1',
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
  SAL_USE_VCLPLUGIN: 'gtk3',
  DBUS_FATAL_WARNINGS: '0',
};

/** The folders of a side on this machine. */
export interface Folders {
  readonly home: string;
  readonly temporary: string;
  readonly runtime: string;
  readonly frame: string;
}

/** Creates the folders of a side below `root`, except its HOME, which is a copy of another one. */
export function createFolders(root: string): Folders {
  const folders = {
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    runtime: join(root, 'run'),
    frame: join(root, 'frame'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const services = join(folders.runtime, 'dbus-1/services');
  mkdirSync(services, { recursive: true });
  for (const name of MASKED_SERVICES)
    writeFileSync(join(services, `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=/bin/false\n`);
  const sockets = join(folders.temporary, '.X11-unix');
  mkdirSync(sockets);
  chmodSync(sockets, 0o1777);
  chmodSync(folders.temporary, 0o1777);
  chmodSync(folders.runtime, 0o700);
  writeFileSync(
    join(root, 'passwd'),
    `root:x:0:0:root:/root:/bin/sh\ntwin:x:${USER}:${USER}:Twin:${HOME}:/bin/sh\n`,
  );
  writeFileSync(join(root, 'group'), `root:x:0:\ntwin:x:${USER}:\n`);
  return folders;
}

/**
 * The arguments of bubblewrap for one side: its own users, processes, network, HOME, /tmp and /run above the machine's programs, which it can
 * only read. `tools` are files or folders of this machine that it sees below {@link TOOLS}.
 */
export function namespaceArguments(
  root: string,
  folders: Folders,
  tools: Readonly<Record<string, string>>,
): string[] {
  const bindings = Object.entries(tools).flatMap(([name, path]) => ['--ro-bind', path, join(TOOLS, name)]);
  const variables = Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]);
  return [
    ...`--unshare-user --uid ${USER} --gid ${USER} --unshare-pid --unshare-net --unshare-ipc --unshare-uts`.split(
      ' ',
    ),
    ...'--hostname twin --die-with-parent --new-session --clearenv'.split(' '),
    ...'--ro-bind / / --dev /dev --proc /proc --tmpfs /run --tmpfs /home --tmpfs /root'.split(' '),
    ...bind('--ro-bind', { [join(root, 'passwd')]: '/etc/passwd', [join(root, 'group')]: '/etc/group' }),
    ...bind('--bind', {
      [folders.home]: HOME,
      [folders.temporary]: '/tmp',
      [folders.runtime]: RUNTIME,
      [folders.frame]: '/run/frame',
    }),
    ...bindings,
    ...variables,
    '--chdir',
    HOME,
  ];
}

function bind(how: '--bind' | '--ro-bind', places: Readonly<Record<string, string>>): string[] {
  return Object.entries(places).flatMap(([from, to]) => [how, from, to]);
}
