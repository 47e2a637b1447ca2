import { isAbsolute, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import {
  LARGEST_SERVER_FILE_BYTES,
  STARTED_AS_SERVER,
  type ProgramEntry,
  type WebEntry,
} from '../../model/tools/server-file.ts';
import type { FilesPort, FoldersPort } from '../../ports/files.ts';
import type { ServerFacts } from '../../ports/upstream/servers.ts';
import { contentHash, isTrusted, type TrustPort } from '../../toolfiles/files/trust.ts';
import { parseServerFile, type DeclaredServer } from './parse-server-file.ts';
import { Variables } from './resolve-variables.ts';
import { secretsAmong } from '../../model/redaction/secret-texts.ts';
import { addressProblem, USUAL_TIMEOUT_MS, type ServerTarget } from './server-target.ts';

/** A server of a file, and whether it may be used. */
export interface FoundServer extends Pick<ServerFacts, 'name' | 'path' | 'transport' | 'reason'> {
  readonly origin: 'user' | 'project';
  readonly state: 'ready' | 'untrusted' | 'disabled' | 'invalid' | 'overridden';
  /** The file was trusted with other content. */
  readonly hasChanged: boolean;
  /** Present if it is ready. */
  readonly target?: ServerTarget | undefined;
}

export interface ServerFile {
  readonly path: string;
  readonly origin: 'user' | 'project';
}

export interface FindParts {
  readonly folders: Pick<FoldersPort, 'readBounded'>;
  readonly files: Pick<FilesPort, 'find'>;
  readonly trust: Pick<TrustPort, 'trusted'>;
  /** Of programs, and where variables come from. */
  readonly environment: Environment;
  /** The project, if there is one. */
  readonly project: string | undefined;
  readonly home: string;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** As sentences without full stop. */
  readonly problems: readonly string[];
}

/** Variables that a program gets besides those of its `env`: enough to run, and none that is likely to be a secret. */
const PASSED = [
  'HOME',
  'LOGNAME',
  'USER',
  'PATH',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
];

/** The servers of all files. A later file overrides an earlier one, even with a server that may not be used: nothing else is run in its place. */
export async function findServers(files: readonly ServerFile[], parts: FindParts): Promise<FoundServers> {
  const found: FoundServer[] = [];
  const problems: string[] = [];
  const trusted = await parts.trust.trusted().catch((error: unknown) => {
    if (!(error instanceof DeskterityError)) throw error;
    problems.push(error.message.replace(/\.$/, ''));
    return [];
  });
  for (const file of files) {
    const read = await readServerFile(file.path, parts);
    if (read === undefined) continue;
    problems.push(...read.problems.map((problem) => `${reveal(file.path)}: ${problem}`));
    const isAllowed = read.sha256 !== undefined && isTrusted(trusted, read.path, read.sha256);
    const hasChanged = !isAllowed && trusted.some(({ path }) => path === read.path);
    for (const declared of read.servers)
      found.push({ ...judge(declared, isAllowed, parts), path: read.path, origin: file.origin, hasChanged });
  }
  const servers = found.map((server, index): FoundServer => {
    const later = found.slice(index + 1).find(({ name }) => name === server.name);
    return later === undefined
      ? server
      : {
          ...server,
          state: 'overridden',
          reason: `${reveal(later.path)} has one of this name`,
          target: undefined,
        };
  });
  return { servers, problems };
}

export interface ReadServerFile {
  /** With links resolved. */
  readonly path: string;
  readonly sha256: string | undefined;
  readonly servers: readonly DeclaredServer[];
  readonly problems: readonly string[];
  readonly isInvalid: boolean;
}

/** `undefined` if it does not exist. */
export async function readServerFile(
  path: string,
  { folders, files }: Pick<FindParts, 'folders' | 'files'>,
): Promise<ReadServerFile | undefined> {
  const read = await folders.readBounded(path, LARGEST_SERVER_FILE_BYTES);
  if (read === undefined) return undefined;
  // Trust applies to the real file, whatever links lead to it.
  const real = (await files.find(path).catch(() => undefined))?.path ?? path;
  if (read.problem !== undefined)
    return { path: real, sha256: undefined, servers: [], problems: [`it ${read.problem}`], isInvalid: true };
  return { path: real, sha256: contentHash(read.bytes), ...parseServerFile(read.bytes) };
}

type Judged = Pick<FoundServer, 'name' | 'transport' | 'state' | 'reason' | 'target'>;

function judge({ name, entry, problem }: DeclaredServer, isAllowed: boolean, parts: FindParts): Judged {
  if (entry === undefined) return { name, transport: 'stdio', state: 'invalid', reason: problem };
  const server = { name, transport: 'url' in entry ? 'http' : 'stdio' } as const;
  // Disabled first: a disabled server needs no trust.
  if (entry.disabled === true || entry.enabled === false)
    return { ...server, state: 'disabled', reason: 'its file disables it' };
  if (!isAllowed) return { ...server, state: 'untrusted', reason: 'its file is not trusted' };
  const variables = new Variables({ environment: parts.environment, folder: parts.project });
  const target = 'url' in entry ? webTarget(entry, variables) : programTarget(entry, variables, parts);
  const reason = variables.problems[0] ?? (target.kind === 'http' ? addressProblem(target.url) : undefined);
  return reason === undefined
    ? { ...server, state: 'ready', target: { ...target, secrets: [...target.secrets, ...variables.values] } }
    : { ...server, state: 'invalid', reason };
}

function programTarget(entry: ProgramEntry, variables: Variables, parts: FindParts): ServerTarget {
  const { command, args = [], env = {}, cwd, timeout_ms: timeoutMs = USUAL_TIMEOUT_MS } = entry;
  const own = Object.entries(env).map(([name, value]) => [name, variables.in(value)] as const);
  const base = parts.project ?? parts.home;
  const named = cwd === undefined ? base : variables.in(cwd);
  return {
    kind: 'stdio',
    command: variables.in(command),
    args: args.map((argument) => variables.in(argument)),
    cwd: isAbsolute(named) ? named : resolve(base, named),
    environment: { ...passedEnvironment(parts.environment), ...Object.fromEntries(own) },
    timeoutMs,
    secrets: secretsAmong(own),
  };
}

/** Variables of the caller that every program gets. */
export function passedEnvironment(environment: Environment): Record<string, string> {
  const passed = Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = environment[name];
      // A shell function could be run by a shell that the program starts.
      return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
    }),
  );
  return { ...passed, [STARTED_AS_SERVER]: '1' };
}

function webTarget(entry: WebEntry, variables: Variables): ServerTarget {
  const { url, headers = {}, scopes, redirect_port: redirectPort } = entry;
  const { timeout_ms: timeoutMs = USUAL_TIMEOUT_MS } = entry;
  const own = Object.entries(headers).map(([name, value]) => [name, variables.in(value)] as const);
  const id = entry.client_id ?? entry.atlassian_client_id;
  const secret = entry.client_secret ?? entry.atlassian_client_secret;
  const client =
    id === undefined
      ? undefined
      : { id: variables.in(id), secret: secret === undefined ? undefined : variables.in(secret) };
  return {
    kind: 'http',
    url: variables.in(url),
    ...(entry.type === 'sse' ? { isOfStream: true } : {}),
    headers: Object.fromEntries(own),
    client,
    scope: scopes === undefined ? undefined : typeof scopes === 'string' ? scopes : scopes.join(' '),
    redirectPort,
    timeoutMs,
    secrets: [...secretsAmong(own), ...(client?.secret === undefined ? [] : [client.secret])],
  };
}
