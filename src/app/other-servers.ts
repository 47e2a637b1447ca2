import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import type { Policy } from '../model/policy/verdict.ts';
import type { Environment } from '../model/sessions/caller.ts';
import { STARTED_AS_SERVER } from '../model/tools/server-file.ts';
import type { ServersPort } from '../ports/upstream/servers.ts';
import type { CommandDefinition } from '../registry/define.ts';
import { registerCommand, type RegisteredCommand } from '../registry/registry.ts';
import { createTrust, TRUST_FILE } from '../toolfiles/files/trust.ts';
import { CREDENTIALS_FILE, CredentialStore } from '../upstream/sign-in/credential-store.ts';
import { SERVER_FILE, type ServersCaller } from '../upstream/upstream-parts.ts';
import type { OfferedServers } from '../upstream/offered-servers.ts';
import type { UpstreamServers } from '../upstream/upstream-servers.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { policyDenied } from '../policy/policy-error.ts';
import type { AppParts, CallerTools } from './app.ts';
import { policyFolders, policyOrClosed } from './policies.ts';
import type { CallScope } from './terminals.ts';

/** Below the project. */
const PROJECT_FOLDER = '.deskterity';

export interface OtherServersParts extends Pick<
  AppParts,
  'files' | 'clock' | 'log' | 'system' | 'outlivesCalls' | 'folders' | 'platform' | 'policy'
> {
  /** The environment of programs for a caller. */
  readonly programEnvironment: (environment: Environment) => Promise<Environment>;
  /** The caller's project, if there is one. */
  readonly projectOf: (scope: CallScope) => Promise<string | undefined>;
  /** Judges a program as an application before it is started. @throws DeskterityError POLICY_DENIED, CONFIRMATION_REQUIRED */
  readonly requireLaunchable: (command: readonly string[]) => Promise<void>;
}

/** Other MCP servers of all callers. Nothing is loaded for callers who have configured none. */
export class OtherServers {
  private readonly parts: OtherServersParts;
  private loaded: Promise<UpstreamServers> | undefined;

  constructor(parts: OtherServersParts) {
    this.parts = parts;
  }

  async portFor(scope: CallScope): Promise<ServersPort> {
    return (await this.servers()).portFor(await this.callerOf(scope));
  }

  /** A tool of a server, as a command; `undefined` if its name is not one of a configured server. @throws DeskterityError */
  async find(scope: CallScope, name: string): Promise<RegisteredCommand | undefined> {
    if (!name.includes('__')) return undefined;
    const of = await this.callerOf(scope);
    if (!hasFiles(of)) return undefined;
    const servers = await this.servers();
    if (!(await servers.has(of, name))) return undefined;
    const { facts, timeoutMs } = await servers.tool(of, name);
    const { serverToolCommand } = await import('../upstream/server-tool-command.ts');
    return registerCommand(serverToolCommand(facts, timeoutMs));
  }

  /** Tools of servers that a client lists by name. */
  async offered(scope: CallScope): Promise<CallerTools> {
    const judged = await this.judgedOffer(scope);
    const of = await this.callerOf(scope, judged.policyNow);
    const { folders } = this.parts.platform;
    let offered = hasFiles(of) ? await this.offer(of, judged) : undefined;
    const made = new WeakMap<readonly CommandDefinition[], readonly RegisteredCommand[]>();
    return {
      get commands() {
        if (offered === undefined) return NONE;
        const { definitions } = offered;
        const commands = made.get(definitions) ?? definitions.map((one) => registerCommand(one));
        made.set(definitions, commands);
        return commands;
      },
      watch: (onChange) => {
        if (offered !== undefined) return offered.watch(onChange);
        let isOver = false;
        let loading: Promise<void> | undefined;
        let ends: readonly (() => void)[] = [];
        const end = (): void => {
          for (const one of ends) one();
          ends = [];
        };
        const load = async (): Promise<void> => {
          await judged.refresh();
          offered = await this.offer(of, judged);
          end();
          if (isOver) return;
          ends = [offered.watch(onChange)];
          if (offered.definitions.length > 0) onChange();
        };
        const changed = (): void => {
          if (isOver || !hasFiles(of)) return;
          loading ??= load().catch(() => {
            loading = undefined;
          });
        };
        ends = of.files.map(({ path }) => folders.watch(dirname(path), changed));
        return () => {
          isOver = true;
          end();
        };
      },
    };
  }

  /** Ends all servers. Never rejects. */
  async close(): Promise<void> {
    const servers = await this.loaded?.catch(() => undefined);
    await servers?.close();
  }

  private async offer(of: ServersCaller, judged: JudgedOffer): Promise<OfferedServers> {
    const { offerServers } = await import('../upstream/offered-servers.ts');
    const { clock, platform } = this.parts;
    return offerServers(await this.servers(), of, { clock, folders: platform.folders, policy: judged });
  }

  /** The policy of a client, as it was when it was read last: no server is started before. */
  private async judgedOffer({ caller }: CallScope): Promise<JudgedOffer> {
    const { policy, folders } = this.parts;
    let latest = await policyOrClosed(policy, caller);
    return {
      policyNow: () => latest,
      folders: policyFolders(caller, folders(caller.environment).config),
      refresh: async () => {
        latest = await policyOrClosed(policy, caller);
      },
    };
  }

  private servers(): Promise<UpstreamServers> {
    const { parts } = this;
    this.loaded ??= import('../upstream/upstream-servers.ts').then(
      ({ UpstreamServers: Servers }) =>
        new Servers({
          folders: parts.platform.folders,
          files: parts.files,
          clock: parts.clock,
          log: parts.log,
          version: parts.system.version,
          locked: parts.platform.withFileLock,
          outlivesCalls: parts.outlivesCalls,
          openAddress: (...given) => this.openAddress(...given),
        }),
    );
    return this.loaded;
  }

  /** If the policy denies what would open it, the user is told the address instead. */
  private async openAddress(environment: Environment, address: string): Promise<boolean> {
    const { platform, requireLaunchable } = this.parts;
    return platform.openAddress?.(environment, address, requireLaunchable).catch(isRefusal) ?? false;
  }

  private async callerOf(
    scope: CallScope,
    policyNow: () => Policy | undefined = () => scope.policy ?? currentPolicy(),
  ): Promise<ServersCaller> {
    const { files, folders, platform, programEnvironment } = this.parts;
    const { environment, cwd } = scope.caller;
    const { config, state } = folders(environment);
    const trustFile = join(config, TRUST_FILE);
    const project = await this.parts.projectOf(scope).catch((error: unknown) => {
      if (error instanceof DeskterityError) return undefined;
      throw error;
    });
    const home = environment['HOME'];
    const locked = platform.withFileLock;
    return {
      files:
        environment[STARTED_AS_SERVER] !== undefined
          ? []
          : [
              { path: join(config, SERVER_FILE), origin: 'user' },
              ...(project === undefined
                ? []
                : [{ path: join(project, PROJECT_FOLDER, SERVER_FILE), origin: 'project' } as const]),
            ],
      trust: createTrust(trustFile, { files, locked }),
      trustFile,
      onSecrets: scope.onSecrets,
      credentials: new CredentialStore({ file: join(state, CREDENTIALS_FILE), files, locked }),
      callerEnvironment: environment,
      environment: () => programEnvironment(environment),
      project,
      home: home !== undefined && isAbsolute(home) ? home : homedir(),
      cwd,
      refusalOf: (server) => refusalOfServer(server, policyNow()),
      owner: `${state} ${scope.session}`,
    };
  }
}

const NONE: readonly RegisteredCommand[] = [];

interface JudgedOffer {
  readonly policyNow: () => Policy;
  /** See `OfferParts.policy`. */
  readonly folders: readonly string[];
  readonly refresh: () => Promise<void>;
}

function refusalOfServer(server: string, policy: Policy | undefined): DeskterityError | undefined {
  const verdict = policy?.decide({ server });
  return verdict?.decision === 'deny' ? policyDenied(`the MCP server ${server}`, verdict) : undefined;
}

function isRefusal(error: unknown): false {
  if (error instanceof DeskterityError) return false;
  throw error;
}

function hasFiles({ files }: ServersCaller): boolean {
  return files.some(({ path }) => existsSync(path));
}
