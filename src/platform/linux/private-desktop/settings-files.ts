import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
cursor-blink=false
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

/** Writes settings into a HOME: no animations, no blinking cursors, accessibility on. Existing files are kept. */
export function writeSettings(home: string): void {
  for (const folder of ['.cache', '.local/share', '.local/state']) {
    mkdirSync(path.join(home, folder), { recursive: true, mode: 0o700 });
  }
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
