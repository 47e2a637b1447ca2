import { realpath, stat } from 'node:fs/promises';
import { isInside } from '../../../model/is-inside.ts';
import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import type { McpConnection } from '../connections/connection.ts';
import { NamedRoots } from '../roots/named-roots.ts';
import { rootFolders } from '../roots/root-folders.ts';
import { MovedTasks } from '../tasks/moved-tasks.ts';
import type { Server, ServerContext } from '../sdk.ts';

export interface RootRules {
  /** A root outside this folder is not used; with links resolved when the server started, empty for any. */
  readonly ceiling: string;
  /** Time for a client to name its roots. */
  readonly answerMs?: number;
}

const ANSWER_MS = 5000;
const MOST_ROOTS = 16;

/**
 * The connection of a session that works in the first root of its client that can be used. The client is asked with its first request that depends on the folder,
 * on the stream of that request, which waits for the answer. The folder never changes afterwards.
 */
export class IsolatedConnection implements McpConnection {
  readonly instructions: string;
  readonly facts: McpConnection['facts'];
  readonly tasks: MovedTasks | undefined;
  private current: McpConnection;
  private client: Server | undefined;
  private isClosed = false;
  private fixed = false;
  private fixing: Promise<void> | undefined;
  private readonly moves = new Set<() => void>();
  private readonly openIn: (folder: string) => Promise<McpConnection>;
  private readonly rules: RootRules;

  /** `base`: the connection in the folder of the server, for clients without a root that may be used. */
  constructor(base: McpConnection, openIn: (folder: string) => Promise<McpConnection>, rules: RootRules) {
    this.current = base;
    this.openIn = openIn;
    this.rules = rules;
    this.instructions = base.instructions;
    this.facts = base.facts;
    const { tasks } = base;
    this.tasks = tasks && new MovedTasks(() => this.current.tasks ?? tasks);
  }

  /** Whether the folder is decided. */
  get isFixed(): boolean {
    return this.fixed;
  }

  get tools(): McpConnection['tools'] {
    return this.current.tools;
  }

  get hiddenTools(): McpConnection['hiddenTools'] {
    return this.current.hiddenTools;
  }

  get prompts(): McpConnection['prompts'] {
    return this.current.prompts;
  }

  get toolsKnown(): Promise<void> | undefined {
    return this.current.toolsKnown;
  }

  get resources(): McpConnection['resources'] {
    const of = (): McpConnection['resources'] => this.current.resources;
    return {
      templates: of().templates,
      list: (channel) => of().list(channel),
      read: (uri, channel) => of().read(uri, channel),
      watch: (uri, onChange) => of().watch(uri, onChange),
      watchList: (onChange) => of().watchList(onChange),
    };
  }

  readonly watchTools: McpConnection['watchTools'] = (onChange) => this.current.watchTools(onChange);
  /** Kept, because it is called before the folder is decided. */
  readonly watchCommandEnds: McpConnection['watchCommandEnds'] = (onEnd) =>
    this.moving(({ watchCommandEnds }) => watchCommandEnds?.(onEnd));
  readonly watchPrompts: McpConnection['watchPrompts'] = (onChange) =>
    this.moving(({ watchPrompts }) => watchPrompts?.(onChange));
  readonly watchPolicy: McpConnection['watchPolicy'] = (onChange) =>
    this.moving(({ watchPolicy }) => watchPolicy?.(onChange));
  readonly watchMode: McpConnection['watchMode'] = (onChange) =>
    this.moving(({ watchMode }) => watchMode?.(onChange));
  readonly complete: McpConnection['complete'] = (request) => this.current.complete(request);

  /** The server that the client is connected to. */
  useClient(server: Server): void {
    this.client = server;
  }

  readonly prepare = async (context: ServerContext): Promise<void> => {
    while (!this.fixed && !context.mcpReq.signal.aborted) {
      this.fixing ??= this.fix(context).finally(() => (this.fixing = undefined));
      await this.fixing;
    }
    // It must not have an effect in another folder.
    context.mcpReq.signal.throwIfAborted();
  };

  async close(): Promise<void> {
    this.isClosed = true;
    await this.current.close();
  }

  /** A watch that follows when the folder is decided. */
  private moving(begin: (connection: McpConnection) => (() => void) | undefined): () => void {
    let end = begin(this.current);
    const move = (): void => {
      end?.();
      end = begin(this.current);
    };
    this.moves.add(move);
    return () => {
      this.moves.delete(move);
      end?.();
    };
  }

  /** A request that is cancelled decides nothing. */
  private async fix(context: ServerContext): Promise<void> {
    const roots = await this.namedRoots(context);
    if (context.mcpReq.signal.aborted && roots.length === 0) return;
    const unusable: string[] = [];
    for (const root of roots) {
      const found = await this.usable(root);
      const opened = 'folder' in found ? await this.openIn(found.folder).catch(() => undefined) : undefined;
      if (opened !== undefined) {
        this.fixed = true;
        report(context, unusable, root);
        const before = this.current;
        this.current = opened;
        for (const move of this.moves) move();
        this.tasks?.move();
        await (this.isClosed ? opened : before).close();
        return;
      }
      unusable.push(`${quoteClipped(root)} ${'problem' in found ? found.problem : 'cannot be opened'}`);
    }
    this.fixed = true;
    report(context, unusable, undefined);
  }

  /** A bounded number of addresses; none of a client that names none in time. */
  private async namedRoots({ mcpReq }: ServerContext): Promise<readonly string[]> {
    if (this.client?.getClientCapabilities()?.roots === undefined) return [];
    try {
      const timeout = this.rules.answerMs ?? ANSWER_MS;
      const { roots } = await mcpReq.send({ method: 'roots/list' }, NamedRoots, { timeout });
      return roots.slice(0, MOST_ROOTS).map(({ uri }) => uri);
    } catch {
      return [];
    }
  }

  private async usable(uri: string): Promise<{ readonly folder: string } | { readonly problem: string }> {
    const [named] = rootFolders([{ uri }]).folders;
    if (named === undefined) return { problem: 'is no path of this machine' };
    const { ceiling } = this.rules;
    const folder = await realpath(named).catch(() => undefined);
    const isAllowed = folder !== undefined && (ceiling === '' || isInside(ceiling, folder));
    // What exists elsewhere is not told.
    if (!isAllowed && ceiling !== '') return { problem: 'is no folder inside that of the server' };
    const isFolder = folder !== undefined && (await stat(folder).catch(() => undefined))?.isDirectory();
    return folder !== undefined && isFolder === true ? { folder } : { problem: 'is no folder' };
  }
}

/** Tells the client which of its roots cannot be used, and what is used instead. */
function report({ mcpReq }: ServerContext, unusable: readonly string[], used: string | undefined): void {
  if (unusable.length === 0) return;
  const data = { unusable, used: used ?? 'the folder of the server' };
  mcpReq.log('warning', data, 'deskterity.roots').catch(() => undefined);
}
