import path from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';
import { findProgram } from '../../node/find-program.ts';
import { expandExec } from './exec-line.ts';
import { isInstalled, realPath } from './installed.ts';
import { interpreted, isInterpreter } from './interpreted.ts';
import { readCatalogue } from './resolve-app.ts';

const CATALOGUE_LASTS_MS = 60_000;

interface Entry {
  readonly id: string;
  readonly isInstalled: boolean;
}

let catalogue: { readonly readAtMs: number; readonly byProgram: Map<string, Entry[]> } | undefined;

/** Ids of the desktop files that start a program: of installed ones by its file, of the others also by its script. */
export function desktopIdsOf(
  executable: string,
  scripts: readonly string[],
  environment: Environment,
): { readonly installed: readonly string[]; readonly others: readonly string[] } {
  const { byProgram } = readByProgram(environment);
  // A script is what the process says that it runs.
  const own = isInterpreter(executable) ? [] : (byProgram.get(executable) ?? []);
  const ofScripts = scripts.flatMap((script) => byProgram.get(realPath(script)) ?? []);
  return {
    installed: own.flatMap(({ id, isInstalled }) => (isInstalled ? [id] : [])),
    others: [...own.filter(({ isInstalled }) => !isInstalled), ...ofScripts].map(({ id }) => id),
  };
}

function readByProgram(environment: Environment): NonNullable<typeof catalogue> {
  const now = performance.now();
  if (catalogue !== undefined && now - catalogue.readAtMs < CATALOGUE_LASTS_MS) return catalogue;
  const byProgram = new Map<string, Entry[]>();
  for (const { id, exec, tryExec, name, file } of readCatalogue(environment).values()) {
    const [program = '', ...args] = (exec && expandExec(exec, { args: [], name, file })) || [];
    for (const one of [program, tryExec ?? '']) {
      const found = one === '' ? undefined : locate(one, environment);
      if (found === undefined) continue;
      const meant = isInterpreter(found) ? interpreted(args, '/').map(realPath) : [found];
      const entry = { id, isInstalled: isInstalled(file) };
      for (const key of meant) {
        const known = byProgram.get(key) ?? [];
        if (!known.some((other) => other.id === id)) byProgram.set(key, [...known, entry]);
      }
    }
  }
  return (catalogue = { readAtMs: now, byProgram });
}

function locate(program: string, environment: Environment): string | undefined {
  const file = path.isAbsolute(program) ? program : findProgram(program, environment['PATH'] ?? '');
  return file === undefined ? undefined : realPath(file);
}
