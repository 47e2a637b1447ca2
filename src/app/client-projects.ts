import { join } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import { isInside } from '../model/is-inside.ts';
import { tighten } from '../model/configuration/tighten.ts';
import type { ConfigurationEntry, ResolvedConfiguration } from '../model/configuration/config.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import { reveal } from '../model/text/untrusted-text.ts';
import type { Platform } from '../ports/platform.ts';

const FOLDER = '.deskterity';
/** Folders of one client. */
export const MOST_ROOTS = 16;
const MOST_LISTED = 50;

/** What was found in the folders that a client works in. */
export interface ClientProjects {
  /** The caller with their tool files and what their settings forbid; never allowed more than before. */
  readonly caller: Caller;
  readonly projects: readonly {
    readonly folder: string;
    /** Folder of its tool files. */
    readonly tools?: string;
    /** Files of workflows. */
    readonly workflows: readonly string[];
  }[];
  /** Settings of the projects that count, and those that do not. */
  readonly applied: readonly string[];
  readonly ignored: readonly string[];
  /** Folders and files that are not used, with the reason, as sentences without a full stop. */
  readonly problems: readonly string[];
}

interface Parts {
  readonly configuration: (environment: Environment) => Promise<ResolvedConfiguration>;
  readonly platform: Pick<Platform, 'configuration' | 'folders'>;
}

/**
 * Looks for `.deskterity` in folders that a client has named. They may be anything: only folders of this user count, and in them only what is
 * really inside. Never rejects because of what is there.
 */
export async function clientProjects(
  { configuration, platform }: Parts,
  caller: Caller,
  folders: readonly string[],
): Promise<ClientProjects> {
  const problems: string[] = [];
  const inside = async (root: string, ...names: string[]) => {
    const path = join(root, ...names);
    const place = await platform.folders.own(path);
    if (place === undefined) return undefined;
    const problem =
      place.problem ?? (isInside(root, place.path) ? undefined : 'is a link to a place outside the project');
    if (problem === undefined) return place;
    problems.push(`${reveal(path)} is not used: it ${problem}`);
    return undefined;
  };

  const projects: ClientProjects['projects'][number][] = [];
  const wanted: ConfigurationEntry[] = [];
  const policies: string[] = [];
  for (const folder of folders.slice(0, MOST_ROOTS)) {
    const root = await platform.folders.own(folder);
    const problem =
      root === undefined
        ? 'does not exist'
        : (root.problem ?? (root.kind === 'folder' ? undefined : 'is not a folder'));
    if (root === undefined || root.problem !== undefined || problem !== undefined) {
      problems.push(`${reveal(folder)} is not used: it ${problem}`);
      continue;
    }
    if (projects.some((known) => known.folder === root.path)) continue;
    const own = await inside(root.path, FOLDER);
    if (own?.problem !== undefined || own?.kind !== 'folder') continue;
    const tools = await inside(root.path, FOLDER, 'tools');
    const workflows = await inside(root.path, FOLDER, 'workflows');
    const names =
      workflows?.problem === undefined && workflows?.kind === 'folder'
        ? await platform.folders.list(workflows.path).catch(() => undefined)
        : undefined;
    projects.push({
      folder: root.path,
      ...(tools?.problem === undefined && tools?.kind === 'folder' ? { tools: tools.path } : {}),
      workflows: (names ?? []).filter((name) => name.endsWith('.json')).slice(0, MOST_LISTED),
    });
    const settings = await inside(root.path, FOLDER, 'config.toml');
    // If there is one. What is wrong with it, calls say: a policy is never passed over.
    policies.push(join(root.path, FOLDER, 'policy.toml'));
    if (settings?.problem === undefined && settings?.kind === 'file')
      wanted.push(...(await settingsIn(platform, own.path, problems)));
  }
  const { values } = await configuration(caller.environment);
  const { variables, applied, ignored } = tighten(values, wanted);
  return {
    caller: {
      ...caller,
      environment: { ...caller.environment, ...variables },
      ...(policies.length === 0 ? {} : { projectPolicies: policies }),
      projectTools: projects.flatMap(({ tools }) => (tools === undefined ? [] : [tools])),
    },
    projects,
    applied,
    ignored,
    problems,
  };
}

async function settingsIn(
  platform: Parts['platform'],
  configFolder: string,
  problems: string[],
): Promise<readonly ConfigurationEntry[]> {
  try {
    const { entries } = await platform.configuration({ environment: {}, configFolder });
    return entries.filter(({ source }) => source === 'file');
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    problems.push(error.message.replace(/\.$/, ''));
    return [];
  }
}
