import { readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';
import type { ProgramFacts, ProgramFactsPort } from '../../../ports/policy/program-facts.ts';
import { findProgram } from '../../node/find-program.ts';
import { readText } from '../../node/quiet-files.ts';
import { DIALOG_MARKER } from '../machine/desktop-environment.ts';
import { desktopIdsOf } from './desktop-ids.ts';
import { commandLine, processStartTime, programName, startingVariable } from './facts.ts';
import { isInstalled, realPath } from './installed.ts';
import { interpreted, isInterpreter } from './interpreted.ts';
import { lineageOf } from './lineage.ts';
import { resolveApp } from './resolve-app.ts';

const DELETED = ' (deleted)';
/** Where AppImages are mounted, under names that say little. */
const APP_IMAGE_MOUNT = /^\/tmp\/\.mount_/;

/** What the kernel says about programs, and about what they call themselves where it does not know better. */
export function createProgramFacts(environment: Environment): ProgramFactsPort {
  return {
    ofProcess: async (pid, isFull) => ofProcess(pid, isFull, environment),
    ofCommand: async (command) => ofCommand(command, environment),
    ofApplication: async (app) => ofCommand(commandFor(app, environment), environment),
    lineageOf: async (pid) => lineageOf(pid),
    keyOf: async (pid) => processStartTime(pid),
  };
}

function ofProcess(pid: number, isFull: boolean, environment: Environment): ProgramFacts {
  if (pid <= 0) return { otherNames: [] };
  const file = linkTarget(`/proc/${pid}/exe`)?.replace(DELETED, '');
  const executable = file !== undefined && isOurFile(pid, file) ? file : undefined;
  const [word = '', ...args] = commandLine(pid);
  const folder = linkTarget(`/proc/${pid}/cwd`) ?? '/';
  const scripts = isInterpreter(file ?? word) ? interpreted(args, folder) : [];
  const ids = isFull && executable !== undefined ? desktopIdsOf(executable, scripts, environment) : undefined;
  const otherNames = [
    executable === undefined ? file : undefined,
    programName(pid),
    // Also of a program that keeps its file secret.
    path.basename(word),
    ...scripts,
    ...packagesOf(pid, file),
    ...(ids?.others ?? []),
  ];
  return {
    executable,
    ...(executable === undefined || !isFull ? {} : { isInstalled: isInstalled(executable) }),
    ...(ids === undefined ? {} : { desktopIds: ids.installed }),
    otherNames: namesOf(otherNames),
    ...(startingVariable(pid, DIALOG_MARKER) === undefined ? {} : { isOurDialog: true }),
  };
}

function ofCommand([program = '', ...args]: readonly string[], environment: Environment): ProgramFacts {
  const found = path.isAbsolute(program) ? program : findProgram(program, environment['PATH'] ?? '');
  const executable = found === undefined ? undefined : realPath(found);
  const starter = executable ?? program;
  const scripts = isInterpreter(starter) ? interpreted(args, '/') : [];
  const ids = executable === undefined ? undefined : desktopIdsOf(executable, scripts, environment);
  return {
    executable,
    ...(executable === undefined ? {} : { isInstalled: isInstalled(executable) }),
    ...(ids === undefined ? {} : { desktopIds: ids.installed }),
    // A link may be called otherwise than its file.
    otherNames: namesOf([program, found, ...scripts, ...(ids?.others ?? [])]),
  };
}

function commandFor(app: string, environment: Environment): string[] {
  try {
    const { program, args } = resolveApp({ app, args: [], cwd: '/', environment });
    return [program, ...args];
  } catch {
    // It cannot be launched; its name may be in a rule all the same.
    return [app];
  }
}

/**
 * Whether the path names for us the file that the process runs. In mounts of its own, which anybody can make, a program can be at the path of any other.
 */
function isOurFile(pid: number, file: string): boolean {
  const mounts = linkTarget(`/proc/${pid}/ns/mnt`);
  // Then a file that is gone was there.
  if (mounts !== undefined && mounts === linkTarget('/proc/self/ns/mnt')) return true;
  try {
    const [running, here] = [statSync(`/proc/${pid}/exe`), statSync(file)];
    return running.dev === here.dev && running.ino === here.ino;
  } catch {
    return false;
  }
}

/** Sandboxes and images that a program comes in. Programs outside of them can imitate all of this. */
function packagesOf(pid: number, file: string | undefined): string[] {
  const flatpak = /^name=(.+)$/m.exec(readText(`/proc/${pid}/root/.flatpak-info`) ?? '')?.[1];
  const label = readText(`/proc/${pid}/attr/current`) ?? '';
  const snaps = [/^snap\.([^.\s]+)/.exec(label)?.[1], /^\/snap\/([^/]+)\//.exec(file ?? '')?.[1]];
  const image =
    file !== undefined && APP_IMAGE_MOUNT.test(file) ? startingVariable(pid, 'APPIMAGE') : undefined;
  return [flatpak, ...snaps, image].filter((name) => name !== undefined);
}

function namesOf(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))].map(String);
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    // Ended, of another user, or a program that keeps it secret.
    return undefined;
  }
}
