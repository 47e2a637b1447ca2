import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The folders Deskterity keeps things in; none of them need exist yet. */
export interface Paths {
  /** What must survive a restart: sessions and their refs. */
  readonly state: string;
  /** What can be made again. */
  readonly cache: string;
  /** What the user wrote. */
  readonly config: string;
}

/** Folders after the XDG base directory rules: a relative XDG variable is ignored, and a missing HOME is looked up. */
export function resolvePaths(
  environment: Readonly<Record<string, string | undefined>>,
  home: () => string = homeFolder,
): Paths {
  const base = (variable: string, fallback: string) => {
    const value = environment[variable];
    if (value !== undefined && isAbsolute(value)) return join(value, 'deskterity');
    const own = environment['HOME'];
    return join(own !== undefined && isAbsolute(own) ? own : home(), fallback, 'deskterity');
  };
  return {
    state: base('XDG_STATE_HOME', '.local/state'),
    cache: base('XDG_CACHE_HOME', '.cache'),
    config: base('XDG_CONFIG_HOME', '.config'),
  };
}

/** The user's home by the system's records; a folder of their own below the temporary one where there is no record. */
function homeFolder(): string {
  for (const lookUp of [() => userInfo().homedir, homedir]) {
    try {
      const home = lookUp();
      if (isAbsolute(home)) return home;
    } catch {
      // A user id without an entry in the user database.
    }
  }
  return join(tmpdir(), `deskterity-${process.getuid?.() ?? 'user'}`);
}
