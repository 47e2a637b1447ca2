import { mentionParameter } from '../../text/mention.ts';
import { DeskterityError } from '../../effects/errors.ts';
import type { ClientPlatform, ClientScope, McpClient, Place, PlaceBase } from './clients.ts';

/** The owner of the files. */
export interface PlaceOwner {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As Node reports it; anything but macOS and Windows is treated like Linux. */
  readonly platform: string;
  /** The caller's current folder; called only if needed. */
  readonly projectFolder: () => string;
}

/**
 * Paths of a client's configuration files, best first.
 * @throws DeskterityError INVALID_ARGUMENT if the client has none for a project, or if the home folder is unknown
 */
export function clientFiles(client: McpClient, scope: ClientScope, owner: PlaceOwner): readonly string[] {
  if (scope === 'user')
    return client.files[platformOf(owner)].flatMap((place) => resolvePlace(place, owner) ?? []);
  if (client.projectFiles === undefined)
    throw new DeskterityError('INVALID_ARGUMENT', `${client.title} reads no servers from a project.`, {
      suggestion: `Omit ${mentionParameter('scope')} to edit the configuration of the user.`,
    });
  return client.projectFiles.flatMap((place) => resolvePlace(place, owner) ?? []);
}

/** Paths of which at least one exists if a client is installed: its files, their folders, its traces. */
export function tracesOf(client: McpClient, owner: PlaceOwner): readonly string[] {
  const { separator } = layoutOf(owner);
  const files = clientFiles(client, 'user', owner);
  const folders = files
    .map((file) => file.slice(0, file.lastIndexOf(separator)))
    .filter((folder) => folder !== homeOf(owner));
  return [
    ...files,
    ...folders,
    ...(client.traces ?? []).flatMap((place) => resolvePlace(place, owner) ?? []),
  ];
}

/** The path of a place; `undefined` if it depends on a variable that is not set. */
export function resolvePlace({ base, path, variable }: Place, owner: PlaceOwner): string | undefined {
  const { separator } = layoutOf(owner);
  const named = variable === undefined ? undefined : absolute(owner, variable);
  if (variable !== undefined && named === undefined) return undefined;
  return [named ?? FOLDERS[base](owner), ...path].join(separator);
}

const FOLDERS: Readonly<Record<PlaceBase, (owner: PlaceOwner) => string>> = {
  home: homeOf,
  config: (owner) => absolute(owner, 'XDG_CONFIG_HOME') ?? inHome(owner, '.config'),
  'application-support': (owner) => inHome(owner, 'Library', 'Application Support'),
  roaming: (owner) => absolute(owner, 'APPDATA') ?? inHome(owner, 'AppData', 'Roaming'),
  project: (owner) => withoutEnd(owner.projectFolder(), layoutOf(owner).separator),
};

function inHome(owner: PlaceOwner, ...path: readonly string[]): string {
  return [homeOf(owner), ...path].join(layoutOf(owner).separator);
}

function homeOf(owner: PlaceOwner): string {
  const home = platformOf(owner) === 'win32' ? absolute(owner, 'USERPROFILE') : undefined;
  const found = home ?? absolute(owner, 'HOME');
  if (found !== undefined) return found;
  throw new DeskterityError('INVALID_ARGUMENT', 'No environment variable names your home folder.', {
    suggestion: 'Set HOME to an absolute path and try again.',
  });
}

/** The value of a variable if it is an absolute path. */
function absolute(owner: PlaceOwner, variable: string): string | undefined {
  const { separator, isAbsolute } = layoutOf(owner);
  const value = owner.environment[variable];
  return value !== undefined && isAbsolute.test(value) ? withoutEnd(value, separator) : undefined;
}

function withoutEnd(folder: string, separator: string): string {
  return folder.endsWith(separator) && folder.length > 1 ? folder.slice(0, -1) : folder;
}

interface Layout {
  readonly separator: string;
  readonly isAbsolute: RegExp;
}

const POSIX: Layout = { separator: '/', isAbsolute: /^\// };
const WINDOWS: Layout = { separator: '\\', isAbsolute: /^(?:[A-Za-z]:[\\/]|\\\\)/ };

function layoutOf(owner: PlaceOwner): Layout {
  return platformOf(owner) === 'win32' ? WINDOWS : POSIX;
}

function platformOf({ platform }: PlaceOwner): ClientPlatform {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}
