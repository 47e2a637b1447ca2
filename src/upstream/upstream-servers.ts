import { DeskterityError } from '../model/effects/errors.ts';
import { mentionCommand } from '../model/text/mention.ts';
import { clip, quoteClipped, reveal } from '../model/text/untrusted-text.ts';
import { serverOfTool } from '../model/tools/server-of-tool.ts';
import type { ServerAnswer } from '../model/tools/server-answer.ts';
import { within } from '../model/within.ts';
import type {
  ServerCallOptions,
  ServerFacts,
  ServersPort,
  ServerToolFacts,
} from '../ports/upstream/servers.ts';
import { findServers, type FoundServer, type FoundServers } from './configuration/find-servers.ts';
import { namedTarget } from './configuration/named-target.ts';
import { targetKey, type ServerTarget } from './configuration/server-target.ts';
import { badAnswer } from './connection/call-failure.ts';
import { openConnection } from './connection/open-connection.ts';
import { ServerPool } from './connection/server-pool.ts';
import { UpstreamServer } from './connection/upstream-server.ts';
import { SignedIn } from './sign-in/signed-in.ts';
import { SignIns, type WhoSignsIn } from './sign-in/sign-ins.ts';
import { signOut } from './sign-in/sign-out.ts';
import { wordsOf } from './sign-in/words-of.ts';
import { argumentProblem } from './tools/check-arguments.ts';
import { KeptAnswers } from './tools/kept-answers.ts';
import { readResult } from './tools/read-result.ts';
import { serverAnswerOf } from './tools/server-answer-of.ts';
import { requireServer } from './require-server.ts';
import { trustServerFile } from './trust-server-file.ts';
import type { ServersCaller, UpstreamParts } from './upstream-parts.ts';

/** `tools list` and the list of a client wait this long for servers that start. */
const LIST_MS = 20_000;

/** A server that may be used. */
interface Usable {
  readonly found: FoundServer;
  readonly target: ServerTarget;
  readonly server: UpstreamServer;
}

/** The MCP servers of all callers. */
export class UpstreamServers {
  private readonly parts: UpstreamParts;
  private readonly pool: ServerPool<UpstreamServer>;
  private readonly kept = new KeptAnswers();
  private readonly signIns = new SignIns();

  constructor(parts: UpstreamParts) {
    this.parts = parts;
    this.pool = new ServerPool(parts.clock);
  }

  /** The servers in the files of a caller. */
  async find(of: ServersCaller): Promise<FoundServers> {
    const { folders, files } = this.parts;
    return findServers(of.files, {
      folders,
      files,
      trust: of.trust,
      environment: await of.environment(),
      project: of.project,
      home: of.home,
    });
  }

  /** Servers that may be used. */
  usable(of: ServersCaller, { servers }: FoundServers): readonly Usable[] {
    return servers.flatMap((found) => {
      const { target, name } = found;
      if (target === undefined || of.refusalOf?.(name) !== undefined) return [];
      return [{ found, target, server: this.server(of, name, target) }];
    });
  }

  /** A tool by its name in our list. @throws DeskterityError */
  async tool(
    of: ServersCaller,
    name: string,
  ): Promise<{ readonly facts: ServerToolFacts; readonly timeoutMs: number }> {
    const { facts, target } = await this.require(of, name);
    return { facts, timeoutMs: target.timeoutMs };
  }

  /** Whether the name is that of a tool of a server in the caller's files. */
  async has(of: ServersCaller, name: string): Promise<boolean> {
    const wanted = serverOfTool(name);
    return wanted !== undefined && (await this.find(of)).servers.some((found) => found.name === wanted);
  }

  portFor(of: ServersCaller): ServersPort {
    return {
      list: (name, signal) => this.list(of, name, signal),
      inspect: (target) => this.inspect(of, target),
      call: (tool, input, options) => this.call(of, tool, input, options),
      more: (id, cursor, most) => this.kept.more(of.owner, id, cursor, most),
      trust: (file) => trustServerFile(file, of, this.parts),
      signIn: (name, options) => this.signIn(of, name, options),
      signOut: async (name) => {
        // What is forgotten harms nobody.
        const { target } = await this.requireWeb({ ...of, refusalOf: undefined }, name);
        await this.signIns.cancel({ name, target, store: of.credentials });
        return signOut(of.credentials, target);
      },
    };
  }

  /** Ends all servers. Never rejects. */
  async close(): Promise<void> {
    await this.signIns.close();
    await this.pool.close();
  }

  private server(of: ServersCaller, name: string, target: ServerTarget): UpstreamServer {
    return this.pool.get(`${of.credentials.file} ${targetKey(name, target)}`, () =>
      this.create(of, name, target),
    );
  }

  private create(of: ServersCaller, name: string, target: ServerTarget): UpstreamServer {
    const { clock, log, version, locked, outlivesCalls, startMs } = this.parts;
    const store = of.credentials;
    const signedIn = target.kind === 'http' ? new SignedIn({ store, target, clock, locked }) : undefined;
    return new UpstreamServer({
      name,
      target,
      clock,
      log,
      open: (parts) => openConnection(target, { ...parts, clock, version, signedIn, startMs }),
      tokens: () => signedIn?.secrets ?? [],
      signInNeeded: () => {
        const challenge = signedIn?.challenge;
        if (challenge === undefined || target.kind !== 'http') return undefined;
        return {
          failure: () => {
            // The next request may be allowed.
            if (signedIn !== undefined) signedIn.challenge = undefined;
            return this.signIns.failure({ name, target, store }, challenge, outlivesCalls);
          },
        };
      },
    });
  }

  private async list(of: ServersCaller, name: string, signal: AbortSignal): ReturnType<ServersPort['list']> {
    const all = await this.find(of);
    const wanted = serverOfTool(name);
    const usable = new Map(this.usable(of, all).map((one) => [one.found, one] as const));
    const servers = all.servers
      .filter((found) => found.name === wanted || found.name.startsWith(name))
      .map(async (found): Promise<ServerFacts> => {
        const one = usable.get(found);
        const { transport, origin, path, state, reason } = found;
        const facts = { name: found.name, transport, origin, path, state, reason, tools: [], leftOut: [] };
        const refusal = found.target === undefined ? undefined : of.refusalOf?.(found.name);
        if (refusal !== undefined) return { ...facts, state: 'denied', reason: phraseOf(refusal) };
        if (one === undefined) return facts;
        const stopped = signal.aborted ? undefined : await this.toolsInTime(one.server);
        if (stopped === undefined)
          return { ...facts, state: 'unavailable', reason: 'it has not answered yet' };
        if (stopped instanceof DeskterityError)
          return {
            ...facts,
            state: stopped.code === 'UNAUTHORIZED' ? 'signed_out' : 'unavailable',
            reason: phraseOf(stopped),
          };
        return {
          ...facts,
          tools: stopped.tools.filter((tool) => tool.name.startsWith(name)),
          leftOut: stopped.leftOut,
        };
      });
    return { servers: await Promise.all(servers), problems: all.problems };
  }

  private async toolsInTime(
    server: UpstreamServer,
  ): Promise<Pick<ServerFacts, 'tools' | 'leftOut'> | DeskterityError | undefined> {
    const tools = server.tools().catch((error: unknown) => {
      if (error instanceof DeskterityError) return error;
      throw error;
    });
    return (await within(this.parts.clock, tools, LIST_MS))?.value;
  }

  private async inspect(of: ServersCaller, named: string): Promise<ServerFacts> {
    const target = namedTarget(named, { cwd: of.cwd, environment: await of.environment() });
    const server = this.create(of, 'server', target);
    try {
      const { tools, leftOut } = await server.tools();
      const facts = {
        name: named,
        origin: 'named',
        path: '',
        transport: target.kind,
        state: 'ready',
      } as const;
      // Nothing else is in this list, so its tools keep their names.
      return {
        ...facts,
        leftOut,
        tools: tools.map((tool) => ({ ...tool, name: reveal(clip(tool.ownName, 200)) })),
      };
    } finally {
      await server.close();
    }
  }

  private async call(
    of: ServersCaller,
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: ServerCallOptions,
  ): Promise<ServerAnswer> {
    const { facts, target, server, found } = await this.require(of, name);
    const problem = argumentProblem(facts.inputSchema, input);
    if (problem !== undefined)
      throw new DeskterityError('INVALID_ARGUMENT', `${name} was not called: ${problem}.`, {
        suggestion: `${mentionCommand('tools list', { name })} shows its parameters.`,
        delivered: false,
      });
    options.guard(facts);
    const { signal, timeoutMs = target.timeoutMs, onProgress } = options;
    of.onSecrets?.(server.secrets);
    const result = await server.call(facts, input, { signal, timeoutMs, onProgress });
    const read = readResult(result, server.secrets);
    if ('mistake' in read) throw badAnswer({ server: found.name, tool: name }, read.mistake);
    return serverAnswerOf(
      read,
      { owner: of.owner, server: found.name, tool: name },
      { kept: this.kept, options },
    );
  }

  private async require(
    of: ServersCaller,
    name: string,
  ): Promise<Usable & { readonly facts: ServerToolFacts }> {
    const usable = await this.requireServer(of, serverOfTool(name) ?? '', name);
    const facts = await usable.server.find(name);
    if (facts !== undefined) return { ...usable, facts };
    throw new DeskterityError(
      'TOOL_NOT_FOUND',
      `The MCP server ${usable.found.name} has no tool ${quoteClipped(name)}.`,
      {
        suggestion: `${mentionCommand('tools list', { name: usable.found.name })} lists its tools.`,
      },
    );
  }

  private async requireServer(of: ServersCaller, server: string, what: string): Promise<Usable> {
    const { found, target } = requireServer(await this.find(of), server, what);
    const refusal = of.refusalOf?.(found.name);
    if (refusal !== undefined) throw refusal;
    return { found, target, server: this.server(of, found.name, target) };
  }

  private async requireWeb(of: ServersCaller, name: string): Promise<WhoSignsIn> {
    const { target } = await this.requireServer(of, name, name);
    if (target.kind === 'http') return { name, target, store: of.credentials };
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `The MCP server ${name} is a program; nobody signs in to it.`,
      {
        suggestion: 'Pass a token in the "env" of its entry, if it needs one.',
      },
    );
  }

  private async signIn(
    of: ServersCaller,
    name: string,
    { signal, opensBrowser, onAddress }: Parameters<ServersPort['signIn']>[1],
  ): ReturnType<ServersPort['signIn']> {
    const who = await this.requireWeb(of, name);
    const failed = (error: unknown): DeskterityError =>
      new DeskterityError('UNAUTHORIZED', `Signing in to ${name} failed: ${wordsOf(error)}.`, {
        suggestion: `Check the address and the client_id in its entry, then run ${mentionCommand('tools login', { server: name })} again.`,
      });
    const pending = await this.signIns.begin(who).catch((error: unknown) => {
      throw failed(error);
    });
    const cancel = (): void => pending.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      onAddress(
        pending.address,
        opensBrowser && (await this.parts.openAddress(of.callerEnvironment, pending.address)),
      );
      return await pending.finished;
    } catch (error) {
      if (!signal.aborted) throw failed(error);
      throw new DeskterityError('CANCELLED', `Nobody signed in to ${name}.`, {
        suggestion: `Run ${mentionCommand('tools login', { server: name })} again when you are ready.`,
      });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

function phraseOf({ message }: DeskterityError): string {
  return message.replace(/\.$/, '');
}
