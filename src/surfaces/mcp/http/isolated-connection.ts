import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../../model/is-inside.ts';
import type { McpConnection } from '../connections/connection.ts';
import { MovedTasks } from '../tasks/moved-tasks.ts';
import type { Server, ServerContext } from '../sdk.ts';

export interface RootRules {
  /** A root outside this folder is not used; with links resolved when the server started, empty for any. */
  readonly ceiling: string;
  /** Time for a client to name its roots. */
  readonly answerMs?: number;
}

const ANSWER_MS = 5000;

/**
 * The connection of a session that works in the first root of its client. The client is asked with its first request that depends on the folder,
 * on the stream of that request, which waits for the answer. The folder never changes afterwards.
 */
export class IsolatedConnection implements McpConnection {
  readonly instructions: string;
  readonly facts: McpConnection['facts'];
  readonly prompts: McpConnection['prompts'];
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
    this.prompts = base.prompts;
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
  readonly watchCommandEnds: McpConnection['watchCommandEnds'] = (onEnd) => {
    let end = this.current.watchCommandEnds?.(onEnd);
    const move = (): void => {
      end?.();
      end = this.current.watchCommandEnds?.(onEnd);
    };
    this.moves.add(move);
    return () => {
      this.moves.delete(move);
      end?.();
    };
  };
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

  /** A request that is cancelled decides nothing. */
  private async fix(context: ServerContext): Promise<void> {
    const root = await this.usableRoot(context);
    if (context.mcpReq.signal.aborted && root === undefined) return;
    // Nothing may change it from here on, not even while it is opened.
    this.fixed = root === undefined;
    if (root === undefined) return;
    const opened = await this.openIn(root).catch(() => undefined);
    this.fixed = true;
    if (opened === undefined) return;
    const before = this.current;
    this.current = opened;
    for (const move of this.moves) move();
    this.tasks?.move();
    await (this.isClosed ? opened : before).close();
  }

  private async usableRoot({ mcpReq }: ServerContext): Promise<string | undefined> {
    if (this.client?.getClientCapabilities()?.roots === undefined) return undefined;
    const { ceiling, answerMs = ANSWER_MS } = this.rules;
    try {
      const { roots } = await mcpReq.send({ method: 'roots/list' }, { timeout: answerMs });
      const [first] = roots;
      if (first === undefined) return undefined;
      const folder = await realpath(fileURLToPath(first.uri));
      return ceiling === '' || isInside(ceiling, folder) ? folder : undefined;
    } catch {
      // No answer, or nothing that is a folder of this machine.
      return undefined;
    }
  }
}
