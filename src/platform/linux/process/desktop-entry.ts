/** The keys of a `.desktop` file that launching needs (Desktop Entry Specification 1.5). */
export interface DesktopEntry {
  readonly file: string;
  /** Desktop-file id without `.desktop`, such as `org.kde.kcalc`. */
  readonly id: string;
  readonly name: string;
  /** `Name` in every language. */
  readonly names: readonly string[];
  /** The command with field codes; absent if it can only be started over D-Bus. */
  readonly exec?: string | undefined;
  readonly tryExec?: string | undefined;
  readonly icon?: string | undefined;
  /** Folder to run in. */
  readonly path?: string | undefined;
  readonly terminal: boolean;
  /** Marked as deleted (`Hidden=true`). */
  readonly hidden: boolean;
  /** Installed but not shown in menus. */
  readonly noDisplay: boolean;
}

/** Parses an application's entry; `undefined` for any other text, such as a link or a directory entry. */
export function parseDesktopEntry(text: string, file: string, id: string): DesktopEntry | undefined {
  const keys = readGroup(text, 'Desktop Entry');
  if (keys === undefined || keys.get('Type') !== 'Application') return undefined;
  const names = [...keys]
    .filter(([key]) => /^Name(\[.*\])?$/.test(key))
    .map(([, value]) => unescapeValue(value));
  const string = (key: string): string | undefined => {
    const value = keys.get(key);
    return value === undefined || value === '' ? undefined : unescapeValue(value);
  };
  return {
    file,
    id,
    name: string('Name') ?? id,
    names: [...new Set(names)],
    exec: string('Exec'),
    tryExec: string('TryExec'),
    icon: string('Icon'),
    path: string('Path'),
    terminal: keys.get('Terminal') === 'true',
    hidden: keys.get('Hidden') === 'true',
    noDisplay: keys.get('NoDisplay') === 'true',
  };
}

function readGroup(text: string, wanted: string): Map<string, string> | undefined {
  let keys: Map<string, string> | undefined;
  let inside = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const header = /^\[([^[\]]*)\]\s*$/.exec(line);
    if (header) {
      inside = header[1] === wanted;
      if (inside) keys ??= new Map();
      continue;
    }
    const pair = /^\s*([A-Za-z0-9-]+(?:\[[^\]]*\])?)\s*=\s*(.*?)\s*$/.exec(line);
    const key = pair?.[1];
    if (inside && key !== undefined && keys?.has(key) === false) keys.set(key, pair?.[2] ?? '');
  }
  return keys;
}

const ESCAPES: Readonly<Record<string, string>> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' };

function unescapeValue(value: string): string {
  return value.replaceAll(/\\(.)/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
}
