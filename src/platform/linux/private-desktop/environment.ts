import type { Environment } from '../../../model/sessions/caller.ts';
import { definedVariables, PRIVATE_DESKTOP_MARKER } from '../machine/desktop-environment.ts';
import type { DesktopFolder } from './folder.ts';

/** Variables of the surrounding session, of npm and of Node that would connect a program to another desktop or change its appearance. */
const DROPPED = [
  /^(?:ACCESSIBILITY_|AT_SPI|DBUS_|DESKTOP_|NO_AT_BRIDGE|SESSION_MANAGER|SWAYSOCK|WAYLAND_|WLR_|WINDOWID|XAUTHORITY|XMODIFIERS|VTE_)/,
  /^(?:CLUTTER_|COGL_|ELECTRON_|GDK_|GIO_|GNOME_|GSETTINGS_|GSK_|GTK_|KDE_|LIBGL_|MESA_|MOZ_|OOO_|PLASMA_|QT_|SAL_|SDL_)/,
  /^(?:NODE_|npm_|XDG_(?!(?:DATA|CONFIG)_DIRS$))/,
  /^(?:DISPLAY|INIT_CWD|COLUMNS|LINES|TMP|TEMP|TMPDIR|IM_MODULE)$/,
];

/**
 * The environment for everything in the desktop; what its display is called is added once it is known.
 * @param ofDisplay variables that depend on the display server
 */
export function desktopEnvironment(
  id: string,
  folder: DesktopFolder,
  {
    busAddress,
    ofDisplay,
  }: { readonly busAddress: string; readonly ofDisplay: Readonly<Record<string, string>> },
  inherited: Environment,
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    XDG_DATA_DIRS: '/usr/local/share:/usr/share',
    XDG_CONFIG_DIRS: '/etc/xdg',
    ...definedVariables(inherited, (name) => !DROPPED.some((form) => form.test(name))),
    [PRIVATE_DESKTOP_MARKER]: id,
    DBUS_SESSION_BUS_ADDRESS: busAddress,
    HOME: folder.home,
    TMPDIR: folder.temporary,
    XDG_RUNTIME_DIR: folder.runtime,
    XDG_CACHE_HOME: `${folder.home}/.cache`,
    XDG_CONFIG_HOME: `${folder.home}/.config`,
    XDG_DATA_HOME: `${folder.home}/.local/share`,
    XDG_STATE_HOME: `${folder.home}/.local/state`,
    ...ofDisplay,
    // Settings are files in the desktop's own HOME, which every program in it can read without a service.
    GSETTINGS_BACKEND: 'keyfile',
    // No virtual file systems: removing the desktop's folder must never reach mounted files.
    GIO_USE_VFS: 'local',
    GVFS_DISABLE_FUSE: '1',
    GTK_USE_PORTAL: '0',
    GSK_RENDERER: 'cairo',
    LIBGL_ALWAYS_SOFTWARE: '1',
    ATSPI_DBUS_IMPLEMENTATION: 'dbus-daemon',
    ACCESSIBILITY_ENABLED: '1',
    GNOME_ACCESSIBILITY: '1',
    QT_ACCESSIBILITY: '1',
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
    SAL_USE_VCLPLUGIN: 'gtk3',
  };
}
