import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { expandExec } from './exec-line.ts';
import { findProgram, isExecutable } from '../../node/find-program.ts';
import { readText } from '../../node/quiet-files.ts';
import { nearestNames } from '../../../model/text/nearest.ts';
import { parseDesktopEntry, type DesktopEntry } from './desktop-entry.ts';

export interface AppRequest {
  /** Path, program name, desktop-file id or display name. */
  readonly app: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
}

/** The command to run for an application. */
export interface ResolvedApp {
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Working directory named in its desktop entry. */
  readonly folder?: string | undefined;
}

/**
 * Finds an application: a path, else a program on PATH, else a desktop-file id, else a display name in any language.
 * @throws DeskterityError APP_NOT_FOUND with the nearest names, AMBIGUOUS_APP, PERM_DENIED, ACTION_NOT_SUPPORTED (needs a terminal)
 */
export function resolveApp(request: AppRequest): ResolvedApp {
  const { app, args, environment } = request;
  if (app.includes('/')) return resolvePath(request);
  const program = findProgram(app, environment['PATH'] ?? '');
  if (program !== undefined) return { name: app, program, args };
  const catalogue = readCatalogue(environment);
  const entry = findById(app, catalogue) ?? findByName(app, catalogue);
  if (entry === undefined) throw unknownApp(app, catalogue);
  return resolveEntry(entry, request);
}

function resolvePath(request: AppRequest): ResolvedApp {
  const file = path.resolve(request.cwd, request.app);
  if (!existsSync(file)) {
    throw new DeskterityError('APP_NOT_FOUND', `The program ${file} does not exist.`, {
      suggestion: 'Pass the name of an installed application or an existing path.',
    });
  }
  if (file.endsWith('.desktop')) {
    const entry = readEntry(file, path.basename(file, '.desktop'));
    if (entry !== undefined) return resolveEntry(entry, request);
  }
  if (!isExecutable(file)) {
    throw new DeskterityError('PERM_DENIED', `This user may not run ${file}.`, {
      suggestion: 'Make it executable, or launch the program that opens it, with the file as an argument.',
      platformDetail: 'EACCES',
    });
  }
  return { name: path.basename(file), program: file, args: request.args };
}

function findById(app: string, catalogue: ReadonlyMap<string, DesktopEntry>): DesktopEntry | undefined {
  const id = app.replace(/\.desktop$/, '');
  const exact = catalogue.get(id);
  if (exact) return exact;
  const close = [...catalogue.values()].filter((entry) => entry.id.toLowerCase() === id.toLowerCase());
  return close.length === 1 ? close[0] : undefined;
}

function findByName(app: string, catalogue: ReadonlyMap<string, DesktopEntry>): DesktopEntry | undefined {
  const wanted = app.trim().toLowerCase();
  const named = [...catalogue.values()].filter((entry) =>
    entry.names.some((name) => name.trim().toLowerCase() === wanted),
  );
  const shown = named.filter((entry) => !entry.noDisplay);
  const found = shown.length > 0 ? shown : named;
  if (new Set(found.map((entry) => entry.exec)).size <= 1) return found[0];
  throw new DeskterityError('AMBIGUOUS_APP', `${found.length} applications are called "${app}".`, {
    suggestion: `Launch one by its id, such as "${found[0]?.id}".`,
    candidates: found.map((entry) => ({
      name: entry.id,
      detail: `${entry.name}: ${entry.exec ?? entry.file}`,
    })),
  });
}

function resolveEntry(entry: DesktopEntry, request: AppRequest): ResolvedApp {
  const searchPath = request.environment['PATH'] ?? '';
  if (entry.terminal) {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `"${entry.name}" runs in a terminal, not in a window.`,
      {
        suggestion: `Run its command line in a terminal instead: ${entry.exec ?? entry.id}`,
      },
    );
  }
  if (entry.exec === undefined) {
    throw new DeskterityError('ACTION_NOT_SUPPORTED', `"${entry.name}" can only be started over D-Bus.`, {
      suggestion: `Launch its program by name instead; its entry is ${entry.file}.`,
    });
  }
  if (entry.tryExec !== undefined && locate(entry.tryExec, searchPath) === undefined)
    throw notInstalled(entry, entry.tryExec);
  const command = expandExec(entry.exec, {
    args: request.args,
    icon: entry.icon,
    name: entry.name,
    file: entry.file,
  });
  if (command === undefined) {
    throw new DeskterityError('ACTION_FAILED', `The Exec line of ${entry.file} cannot be read.`, {
      suggestion: 'Launch its program by name instead.',
      platformDetail: entry.exec,
    });
  }
  const [first = '', ...args] = command;
  const program = locate(first, searchPath);
  if (program === undefined) throw notInstalled(entry, first);
  return { name: entry.name, program, args, folder: entry.path };
}

function locate(program: string, searchPath: string): string | undefined {
  if (path.isAbsolute(program)) return isExecutable(program) ? program : undefined;
  return findProgram(program, searchPath);
}

function notInstalled(entry: DesktopEntry, program: string): DeskterityError {
  return new DeskterityError(
    'APP_NOT_FOUND',
    `"${entry.name}" is listed, but its program ${program} is not installed.`,
    {
      suggestion: `Install ${program}, or launch another application.`,
      platformDetail: entry.file,
    },
  );
}

function unknownApp(app: string, catalogue: ReadonlyMap<string, DesktopEntry>): DeskterityError {
  const entries = [...catalogue.values()].filter((entry) => !entry.noDisplay && !entry.terminal);
  const names = entries.flatMap((entry) => [entry.name, entry.id]);
  const near = nearestNames(app, names);
  return new DeskterityError('APP_NOT_FOUND', `No application or program is called "${app.slice(0, 80)}".`, {
    suggestion:
      near[0] === undefined
        ? 'Pass a program name, a path, a desktop-file id or the name shown in menus.'
        : `Did you mean "${near[0]}"?`,
    candidates: near.map((name) => ({ name })),
  });
}

/** Real applications folders are not nested deeper. */
const DEEPEST = 4;

/** The entries of all installed applications, by id. A file in an earlier data folder overrides or hides those with its id in later ones. */
export function readCatalogue(environment: Environment): Map<string, DesktopEntry> {
  const entries = new Map<string, DesktopEntry>();
  const seen = new Set<string>();
  for (const folder of applicationFolders(environment)) {
    for (const relative of desktopFiles(folder, '', 0)) {
      const id = relative.replace(/\.desktop$/, '').replaceAll('/', '-');
      if (seen.has(id)) continue;
      seen.add(id);
      const entry = readEntry(path.join(folder, relative), id);
      if (entry !== undefined && !entry.hidden) entries.set(id, entry);
    }
  }
  return entries;
}

/** Reads an entry from its file; `undefined` if it is unreadable or not an application's entry. */
function readEntry(file: string, id: string): DesktopEntry | undefined {
  const text = readText(file);
  return text === undefined ? undefined : parseDesktopEntry(text, file, id);
}

function applicationFolders(environment: Environment): string[] {
  const home = environment['HOME'];
  const own =
    environment['XDG_DATA_HOME'] ?? (home === undefined ? undefined : path.join(home, '.local/share'));
  const shared = (environment['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':');
  return [own, ...shared]
    .filter((folder) => folder !== undefined && path.isAbsolute(folder))
    .map((folder) => path.join(folder ?? '', 'applications'));
}

function desktopFiles(folder: string, below: string, depth: number): string[] {
  try {
    return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((item) => {
      const relative = path.join(below, item.name);
      if (item.isDirectory()) return depth < DEEPEST ? desktopFiles(folder, relative, depth + 1) : [];
      return item.name.endsWith('.desktop') ? [relative] : [];
    });
  } catch {
    return [];
  }
}
