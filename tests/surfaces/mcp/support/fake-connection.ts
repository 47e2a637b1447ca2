import { ResourceNotFoundError } from '../../../../src/surfaces/mcp/sdk.ts';
import type { McpConnection, McpTool } from '../../../../src/surfaces/mcp/connections/connection.ts';

/** A connection whose world the test turns. */
export class FakeConnection implements McpConnection {
  readonly instructions = 'Look, then act.';
  readonly facts = { 'deskterity/desktop': { platform: 'test' } };
  tools: readonly McpTool[];
  /** Told when {@link tools} was changed. */
  readonly toolWatchers = new Set<() => void>();
  readonly promptWatchers = new Set<() => void>();
  readonly prompts: McpConnection['prompts'] = [
    {
      definition: { name: 'greet', arguments: [{ name: 'who', required: true }, { name: 'how' }] },
      get: async ({ who }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}.` } }],
      }),
    },
  ];
  readonly watched = new Map<string, () => void>();
  /** What a watch waits for before it is set up. */
  watchable: Promise<void> = Promise.resolve();
  resourceCount = 1;
  closings = 0;
  /** Called with the signal of each call of the tool `hang`. */
  onHang: (signal: AbortSignal) => void = () => undefined;

  watchTools = (onChange: () => void) => {
    this.toolWatchers.add(onChange);
    return () => void this.toolWatchers.delete(onChange);
  };

  watchPrompts = (onChange: () => void) => {
    this.promptWatchers.add(onChange);
    return () => void this.promptWatchers.delete(onChange);
  };

  constructor(more: readonly McpTool[] = []) {
    this.tools = [
      {
        definition: { name: 'echo', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
        call: async (input) => ({
          content: [{ type: 'text', text: JSON.stringify(input) }],
          structuredContent: { ...input },
        }),
      },
      {
        definition: { name: 'hang', inputSchema: { type: 'object' } },
        call: (_, { signal, progress }) =>
          new Promise((_resolve, reject) => {
            progress({ message: 'hanging', done: 1 });
            this.onHang(signal);
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      },
      ...more,
    ];
  }

  readonly resources: McpConnection['resources'] = {
    templates: [{ name: 'thing', uriTemplate: 'test://thing/{id}' }],
    list: async () =>
      Array.from({ length: this.resourceCount }, (_, index) => ({
        name: `thing ${index}`,
        uri: `test://thing/${index}`,
      })),
    read: async (uri) => {
      if (!uri.startsWith('test://thing/')) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, text: 'a thing' }] };
    },
    watch: async (uri, onChange) => {
      if (!uri.startsWith('test://thing/')) throw new ResourceNotFoundError(uri);
      return this.watch(uri, onChange);
    },
    watchList: async (onChange) => this.watch('list', onChange),
  };

  complete: McpConnection['complete'] = async ({ argument, known }) =>
    [`${argument.value}lice`, `${argument.value}nna`, ...Object.values(known)].filter(Boolean);

  async close(): Promise<void> {
    this.closings += 1;
  }

  private async watch(key: string, onChange: () => void): Promise<() => void> {
    await this.watchable;
    this.watched.set(key, onChange);
    return () => void this.watched.delete(key);
  }
}
