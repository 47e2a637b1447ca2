import { dirname, join } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import { isInside } from '../model/is-inside.ts';
import type { RuledCommand } from '../model/policy/ruled-command.ts';
import type { Policy } from '../model/policy/verdict.ts';
import type { Caller } from '../model/sessions/caller.ts';
import type { Platform } from '../ports/platform.ts';
import { closedPolicy, readPolicy, type FoundPolicy } from '../policy/reading/read-policy.ts';

const FILE_NAME = 'policy.toml';
const PROJECT_FOLDER = '.deskterity';
const MOST_FOLDERS = 64;

type PolicyCaller = Pick<Caller, 'cwd' | 'environment' | 'projectPolicies'>;

interface Parts {
  readonly platform: Pick<Platform, 'policyFile' | 'pathFacts'>;
  readonly commands: readonly RuledCommand[];
}

/**
 * The policy of a caller: the user's file, those of the projects that it works in, which can only tighten it, and its variables.
 * @throws DeskterityError CONFIG_INVALID
 */
export async function policyOfCaller(
  { platform, commands }: Parts,
  caller: PolicyCaller,
  configFolder: string,
): Promise<Policy> {
  const own = join(configFolder, FILE_NAME);
  const ofProjects = new Set([...projectFiles(caller.cwd), ...(caller.projectPolicies ?? [])]);
  ofProjects.delete(own);
  const scopes = scopesOf(caller);
  const found = await Promise.all([
    find(platform, own, { isOfProject: false, scopes }),
    ...[...ofProjects].map((path) => find(platform, path, { isOfProject: true, scopes: [] })),
  ]);
  return readPolicy(
    found.filter((one) => one !== undefined),
    caller.environment,
    { commands, followPath: platform.pathFacts },
  );
}

/** The same; while it cannot be read, nothing is allowed. */
export async function policyOrClosed(
  read: (caller: Caller) => Promise<Policy>,
  caller: Caller,
): Promise<Policy> {
  try {
    return await read(caller);
  } catch (error) {
    if (error instanceof DeskterityError) return closedPolicy(error);
    throw error;
  }
}

/** Folders in which a change may change the policy of a caller. Those around its own folder count with its next call. */
export function policyFolders({ cwd, projectPolicies = [] }: PolicyCaller, configFolder: string): string[] {
  const ofProjects = [join(cwd, PROJECT_FOLDER, FILE_NAME), ...projectPolicies];
  return [...new Set([configFolder, ...ofProjects.map((path) => dirname(path))])];
}

async function find(
  platform: Parts['platform'],
  path: string,
  { isOfProject, scopes }: { readonly isOfProject: boolean; readonly scopes: readonly string[] },
): Promise<FoundPolicy | undefined> {
  const file = await platform.policyFile(path, { isOfProject, scopes });
  return file === undefined ? undefined : { path, file, isOfProject };
}

/** Those of a folder and of all folders around it: a call from a folder inside a project is bound by its rules, too. */
function projectFiles(cwd: string): string[] {
  const files: string[] = [];
  let folder = cwd;
  while (folder !== '' && files.length < MOST_FOLDERS) {
    files.push(join(folder, PROJECT_FOLDER, FILE_NAME));
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return files;
}

/** Folders that tools may be confined to, and so may write. A folder around HOME is never one. */
function scopesOf({ cwd, environment }: Pick<Caller, 'cwd' | 'environment'>): string[] {
  const home = environment['HOME'] ?? '';
  const given = [environment['DESKTERITY_SANDBOX_SCOPE'], environment['AHMA_SANDBOX_SCOPE'], cwd];
  return given.flatMap((folder) =>
    folder === undefined || folder === '' || home === '' || isInside(folder, home) ? [] : [folder],
  );
}
