import type { Caller } from '../../../model/sessions/caller.ts';
import type { CallerTools, CallSettings, App } from '../../../app/app.ts';
import { spellMentionsIn } from '../../../model/text/mention.ts';
import { sessionName } from '../../../model/sessions/session-name.ts';
import type { ToolFacts } from '../../../app/tool-facts.ts';
import { allToolFacts, commandTools } from './command-tools.ts';
import { spelledCalls } from './spelled-calls.ts';
import { completeFor } from '../completions/complete.ts';
import type { McpConnection, McpTool } from '../connections/connection.ts';
import { openDeskCalls } from './desk-calls.ts';
import type { DeskCalls } from './desk-calls.ts';
import { desktopFacts, hasNoSession } from '../desktop-facts.ts';
import type { DesktopFacts } from '../desktop-facts.ts';
import { fileTools } from './file-tools.ts';
import { inspectTools } from '../dialects/inspect/inspect-tools.ts';
import type { McpOptions } from '../options.ts';
import { deskPrompts } from '../prompts/desk-prompts.ts';
import { instructions } from '../prompts/instructions.ts';
import { deskResources } from '../resources/desk-resources.ts';
import { TERMINAL_CALL, terminalDialects, terminalTools } from '../dialects/terminal/terminal-tool.ts';
import { choose, INSPECT, requireToolsets } from './toolsets.ts';
import { toolSpeller } from './tool-speller.ts';

export interface DeskParts {
  readonly app: App;
  readonly caller: Caller;
  readonly version: string;
  readonly options: McpOptions;
  /** Each tool takes the name of a session: for clients whose requests belong to no connection. */
  readonly hasSessionArgument: boolean;
  /** Resources that may be watched at a time; as many as one client may where absent. */
  readonly mostWatches?: number | undefined;
  readonly log?: { readonly write: NonNullable<CallSettings['onLog']> } | undefined;
}

const NONE: CallerTools['commands'] = [];
/** The client is greeted first; one that only looks whether somebody is here has gone by then. */
const GREETING_MS = 200;

/** All that one client can do on this machine. @throws DeskterityError INVALID_ARGUMENT for an unknown toolset or a name that no session can have */
export async function openDesk(parts: DeskParts): Promise<McpConnection> {
  const { app, version, options, hasSessionArgument, mostWatches, log } = parts;
  const { isTextOnly, isReadOnly, toolsets } = options;
  const all = allToolFacts(app.commands);
  requireToolsets(toolsets, all);
  const session = options.session === undefined ? undefined : sessionName(options.session);
  // Many clients start their servers with the barest environment.
  const caller = await app.findDesktop(parts.caller);
  const calls = openDeskCalls({ app, caller, session });
  // Before anything uses it.
  const isMissing = session !== undefined && (await hasNoSession(calls));
  const facts = await desktopFacts(calls, {
    display: app.displayIn(caller.environment),
    isFound: caller.isDesktopFound === true,
    hasOwnSession: session === undefined,
  });
  // One that was ended is missing too, and does not come into being anew.
  const newSession = isMissing && facts.problem !== 'SESSION_NOT_FOUND' ? session : undefined;
  const choice = { toolsets, isReadOnly, capabilities: facts.capabilities };
  const chosen = choose(all, choice);
  const offered = chosen.filter(({ command }) => command !== TERMINAL_CALL);
  const toolFiles = fileTools(app, caller, toolsets);
  const preparing = toolFiles && setTimeout(() => void app.prepareTools(caller), GREETING_MS).unref();
  // Whoever can make sessions needs a way to use them.
  const namesSessions = hasSessionArgument || offered.some(({ command }) => command === 'session new');
  const speller = toolSpeller({ offered, commandLine: app.commandLineSpeller });
  const clientCalls = spelledCalls(calls, speller);
  const told = spellMentionsIn(facts.told, speller);
  const toolsFor = (some: readonly ToolFacts[]): readonly McpTool[] =>
    commandTools({
      calls: clientCalls,
      offered: some,
      speller,
      isTextOnly,
      isReadOnly,
      hasSessionArgument: namesSessions,
    });
  const terminals = terminalTools(terminalDialects(chosen, options), {
    app,
    caller,
    // Their texts are those of another program, which knows none of our tools.
    calls: spelledCalls(calls, app.commandLineSpeller),
    all,
    isTextOnly,
  });
  const steady: readonly McpTool[] = [
    ...toolsFor(offered),
    ...terminals.tools,
    ...(toolsets.includes(INSPECT)
      ? dialect(
          spelledCalls(
            calls,
            toolSpeller({ offered, others: INSPECTING, commandLine: app.commandLineSpeller }),
          ),
          facts.capabilities,
          isTextOnly,
        )
      : []),
  ];
  let fromFiles:
    | { readonly commands: CallerTools['commands']; readonly tools: readonly McpTool[] }
    | undefined;
  const tools = (): readonly McpTool[] => {
    const commands = toolFiles?.commands() ?? NONE;
    if (fromFiles?.commands !== commands)
      fromFiles = { commands, tools: toolsFor(choose(allToolFacts(commands), choice)) };
    return [...steady, ...fromFiles.tools];
  };
  const names = new Set(steady.map(({ definition }) => definition.name));
  const prompts = deskPrompts(names);
  let closing: Promise<void> | undefined;
  return {
    instructions: instructions(names, newSession),
    facts: {
      'deskterity/desktop': newSession === undefined ? told : { ...told, new_session: newSession },
    },
    get tools() {
      return tools();
    },
    toolsKnown: Promise.all([toolFiles?.known, terminals.known]).then(() => undefined),
    watchTools: (onChange) => toolFiles?.watch(onChange) ?? (() => undefined),
    watchCommandEnds: (onEnd) => app.watchCommandEnds(calls.session, onEnd, caller),
    prompts,
    resources: deskResources(clientCalls, {
      version,
      mostWatches,
      hasOperations: names.has('operation_status'),
      hasTerminals: names.has('terminal'),
      // Without the address: it names an application.
      warn: (message) => log?.write({ level: 'warn', message }),
    }),
    complete: completeFor(
      calls,
      prompts.map(({ definition }) => definition),
    ),
    close: () => {
      clearTimeout(preparing);
      return (closing ??= calls.close());
    },
  };
}

/** Tools of the dialect, by the command that does the same. */
const INSPECTING = {
  snapshot: 'get_ui_tree',
  find: 'find_element',
  focused: 'get_focused_element',
  'list-apps': 'list_windows',
  'list-windows': 'list_windows',
} as const;

/** The dialect gives out no references, so it looks where it does not push out what the client has read. */
function dialect(
  calls: DeskCalls,
  capabilities: DesktopFacts['capabilities'],
  isTextOnly: boolean,
): readonly McpTool[] {
  const onlooker: DeskCalls = { ...calls, answer: (...asked) => calls.look(...asked) };
  const tools = inspectTools(onlooker, { isTextOnly });
  const missing = (name: string) => capabilities?.[name === 'list_windows' ? 'windows' : 'tree'] === false;
  return tools.filter(({ definition }) => !missing(definition.name));
}
