import type { Caller } from '../host/caller.ts';
import type { Host } from '../host/host.ts';
import { allToolFacts, commandTools } from './command-tools.ts';
import type { McpConnection, McpTool } from './connection.ts';
import { openDeskCalls } from './desk-calls.ts';
import { desktopFacts } from './desktop-facts.ts';
import { ResourceNotFoundError } from './sdk.ts';
import type { McpOptions } from './options.ts';
import { choose, requireToolsets } from './toolsets.ts';

export interface DeskParts {
  readonly host: Host;
  readonly caller: Caller;
  readonly version: string;
  readonly options: McpOptions;
  /** Each tool takes the name of a session: for clients whose requests belong to no connection. */
  readonly hasSessionArgument: boolean;
}

/** All that one client can do on this machine. @throws DeskterityError INVALID_ARGUMENT for an unknown toolset */
export async function openDesk(parts: DeskParts): Promise<McpConnection> {
  const { host, caller, version, options, hasSessionArgument } = parts;
  const { isTextOnly, isReadOnly, toolsets } = options;
  const all = allToolFacts(host.commands);
  requireToolsets(toolsets, all);
  const calls = openDeskCalls({ host, caller, session: options.session });
  const facts = await desktopFacts(calls, caller, options.session === undefined);
  const offered = choose(all, { toolsets, isReadOnly, capabilities: facts.capabilities });
  // Whoever can make sessions needs a way to use them.
  const namesSessions = hasSessionArgument || offered.some(({ command }) => command === 'session new');
  const tools: readonly McpTool[] = [
    ...commandTools({ calls, offered, isTextOnly, hasSessionArgument: namesSessions }),
  ];
  let closing: Promise<void> | undefined;
  return {
    instructions: version,
    facts: { 'deskterity/desktop': facts.told },
    tools,
    prompts: [],
    resources: {
      templates: [],
      list: async () => [],
      read: async (uri) => {
        throw new ResourceNotFoundError(uri);
      },
      watch: async () => () => undefined,
      watchList: async () => () => undefined,
    },
    complete: async () => [],
    close: () => (closing ??= calls.close()),
  };
}
