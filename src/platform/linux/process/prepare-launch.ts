import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { namesWayland } from '../machine/desktop-environment.ts';
import { LAUNCH_PROFILES, type LaunchAdditions, type LaunchProfile } from './launch-profiles.ts';
import type { ResolvedApp } from './resolve-app.ts';

/** Where the application will run. */
export interface LaunchPlace {
  /** Everything the program inherits. */
  readonly environment: Readonly<Record<string, string>>;
  readonly isPrivate: boolean;
  readonly isRoot: boolean;
}

/** A command with its toolkit's additions. */
export interface PreparedLaunch {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments and variables that were added or changed. */
  readonly adjustments: readonly string[];
}

/** Applies the launch profiles, except for options the caller has already set. */
export function prepareLaunch(app: ResolvedApp, place: LaunchPlace): PreparedLaunch {
  const args: string[] = [];
  const environment: Record<string, string> = { ...place.environment };
  const adjustments: string[] = [];
  for (const profile of LAUNCH_PROFILES.filter((candidate) => applies(candidate, app.program))) {
    const additions = [
      profile.always,
      place.isPrivate ? profile.onPrivateDesktop : undefined,
      place.isPrivate && namesWayland(environment) ? profile.onPrivateWayland : undefined,
      place.isPrivate && place.isRoot ? profile.onPrivateDesktopAsRoot : undefined,
    ];
    for (const addition of additions) {
      if (addition === undefined) continue;
      args.push(...wantedArgs(addition, app.args, environment));
      for (const [name, value] of Object.entries(addition.environment ?? {})) {
        if (environment[name] === value) continue;
        environment[name] = value;
        adjustments.push(`${name}=${value}`);
      }
    }
  }
  return {
    program: app.program,
    args: [...args, ...app.args],
    environment,
    adjustments: [...adjustments, ...args],
  };
}

function applies(profile: LaunchProfile, program: string): boolean {
  if (profile.programs === undefined && profile.beside === undefined) return true;
  if (profile.programs?.test(path.basename(program)) === true) return true;
  const real = realPath(program);
  if (profile.programs?.test(path.basename(real)) === true) return true;
  return profile.beside?.some((file) => existsSync(path.join(path.dirname(real), file))) ?? false;
}

function wantedArgs(
  addition: LaunchAdditions,
  given: readonly string[],
  environment: Readonly<Record<string, string>>,
): string[] {
  const args = (addition.args ?? []).map(whereFileExists).filter((arg) => arg !== undefined);
  const options = args.filter((arg) => arg.startsWith('-'));
  const taken = new Set(
    options.filter((option) => given.some((arg) => optionName(arg) === optionName(option))),
  );
  const wanted = args.filter((arg, index) => {
    const owner = arg.startsWith('-') ? arg : args[index - 1];
    return owner === undefined || !taken.has(owner);
  });
  if (!wanted.some((arg) => arg.includes('{profile}'))) return wanted;
  const profile = freshProfile(addition, environment);
  return wanted.map((arg) => arg.replace('{profile}', profile));
}

function whereFileExists(arg: string): string | undefined {
  const condition = /^\{file:([^}]*)\}/.exec(arg);
  if (condition === null) return arg;
  return existsSync(condition[1] ?? '') ? arg.slice(condition[0].length) : undefined;
}

/** `--profile=X` and `-profile` are the same option; each `-Dname=value` is an option of its own. */
function optionName(arg: string): string {
  return arg.replace(/^--?/, '').replace(/=.*$/s, '').toLowerCase();
}

function freshProfile(addition: LaunchAdditions, environment: Readonly<Record<string, string>>): string {
  const parent = path.join(environment['HOME'] ?? '/tmp', '.cache', 'profiles');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(parent, 'p-'));
  for (const [name, text] of Object.entries(addition.profileFiles ?? {}))
    writeFileSync(path.join(folder, name), text);
  return folder;
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
