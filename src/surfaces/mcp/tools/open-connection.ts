import type { CallerTools } from '../../../app/app.ts';
import { once } from '../../../model/once.ts';
import { spellMentionsIn } from '../../../model/text/mention.ts';
import { isPossible, READING_ONLY } from '../../../model/policy/verdict.ts';
import type { Caller } from '../../../model/sessions/caller.ts';
import { sessionName } from '../../../model/sessions/session-name.ts';
import type { ToolFacts } from '../../../app/tool-facts.ts';
import { ClientPolicy } from '../access/client-policy.ts';
import { hiddenTool, isShown } from '../access/hidden-tool.ts';
import type { OwnSessions } from '../access/session-owners.ts';
import { allToolFacts, commandTools } from './command-tools.ts';
import { spelledCalls, toolSpeller } from './client-spelling.ts';
import { completeFor } from '../completions/complete.ts';
import type { McpConnection, McpTool } from '../connections/connection.ts';
import { openClientCalls } from './client-calls.ts';
import { dialectNeeds, dialectTools } from './dialect-tools.ts';
import { desktopFacts, hasNoSession, unopenedFacts } from '../desktop-facts.ts';
import { fileTools } from './file-tools.ts';
import type { McpParts } from '../options.ts';
import { ClientRoots } from '../roots/client-roots.ts';
import { promptsFor } from '../prompts/guides.ts';
import { instructions } from '../prompts/instructions.ts';
import { clientResources } from '../resources/client-resources.ts';
import { TERMINAL_CALL, terminalDialects, terminalTools } from '../dialects/terminal/terminal-tool.ts';
import { ToldOutputs } from './told-outputs.ts';
import { choose, requireToolsets } from './toolsets.ts';
import { ConnectionTasks } from '../tasks/connection-tasks.ts';
import { principalOf } from '../tasks/principal.ts';
import { operationDoor } from '../tasks/operation-door.ts';

export interface ConnectionParts extends Omit<McpParts, 'log'> {
  /** How the client is connected. Default: by a pipe. */
  readonly kind?: 'pipe' | 'session' | 'principal' | undefined;
  /** Each tool has a session parameter, for clients whose requests belong to no connection. */
  readonly hasSessionArgument: boolean;
  /** All requests come from one client, which may have roots. */
  readonly isOneClient?: boolean | undefined;
  /** Maximum number of concurrently watched resources. Default: the limit of one client. */
  readonly mostWatches?: number | undefined;
  readonly log?: McpParts['log'] | undefined;
  /** Whom the connection belongs to, if clients have access tokens: the same text for the same user and client. */
  readonly owner?: string | undefined;
  /** The sessions of that owner. */
  readonly own?: OwnSessions | undefined;
}

/** A client whose calls only read, as in the security mode `sandboxed`. */
function readingOnly(caller: Caller): Caller {
  return { ...caller, environment: { ...caller.environment, ...READING_ONLY } };
}

const NONE: CallerTools['commands'] = [];
/** Preparing tools waits until initialize is answered; a client that only probes the server has disconnected by then. */
const PREPARE_AFTER_MS = 200;

/** Opens everything offered to one client. @throws DeskterityError INVALID_ARGUMENT for an unknown toolset or an invalid session name */
export async function openConnection(parts: ConnectionParts): Promise<McpConnection> {
  const { app, version, options, hasSessionArgument, mostWatches, log, own, isOneClient = false } = parts;
  const { toolsets } = options;
  const all = allToolFacts(app.commands);
  requireToolsets(toolsets, all);
  const session = options.session === undefined ? undefined : sessionName(options.session);
  const confined = options.isReadOnly ? readingOnly(parts.caller) : parts.caller;
  const settings = await app.mcpSettings(confined);
  const isTextOnly = (options.structured ?? settings.structured) === 'never';
  // Many clients start their servers with a minimal environment.
  const { owner: principal = confined.principal } = parts;
  const caller = await app.findDesktop({ ...confined, principal });
  const toolFiles = fileTools(app, caller, toolsets);
  const roots = new ClientRoots(app, caller, async (latest) => toolFiles?.reload(latest));
  const calls = openClientCalls({ app, caller, latest: () => roots.caller, session });
  const policy = await ClientPolicy.open(app, () => roots.caller);
  // Before any call creates it.
  const isMissing = session !== undefined && (await hasNoSession(calls));
  const query = {
    display: app.displayIn(caller.environment),
    isFound: caller.isDesktopFound === true,
    hasOwnSession: session === undefined,
  };
  const isUnopened =
    query.display !== undefined && query.hasOwnSession && !(await app.isDesktopOpen(caller.environment));
  const facts = isUnopened ? unopenedFacts(app.platformName, query) : await desktopFacts(calls, query);
  let { capabilities } = facts;
  /** Before the tools are listed, which is after initialize. */
  const examine = once(async () => {
    if (isUnopened) ({ capabilities } = await desktopFacts(calls, query));
  });
  // A killed session is missing too, but is not created again.
  const newSession = isMissing && facts.problem !== 'SESSION_NOT_FOUND' ? session : undefined;
  const choice = { toolsets, capabilities: facts.capabilities };
  const chosen = choose(all, choice);
  const offered = chosen.filter(({ command }) => command !== TERMINAL_CALL);
  const preparing = toolFiles && setTimeout(() => void app.prepareTools(caller), PREPARE_AFTER_MS).unref();
  // A client that can create sessions needs the parameter to use them.
  const creating = offered.find(({ command }) => command === 'session new');
  const namesSessions = (): boolean =>
    hasSessionArgument || (creating !== undefined && isPossible(policy, creating.asks));
  const speller = toolSpeller({ offered, policy, commandLine: app.commandLineSpeller });
  const clientCalls = spelledCalls(calls, speller);
  const reported = spellMentionsIn(facts.reported, speller);
  const told = new ToldOutputs();
  const dialects = terminalDialects(chosen, options);
  const terminalCall = all.find(({ command }) => command === TERMINAL_CALL);
  const hasTerminals = (): boolean => dialects.length > 0 && isPossible(policy, terminalCall?.asks);
  const toolsFor = (some: readonly ToolFacts[]): readonly McpTool[] =>
    commandTools({
      calls: clientCalls,
      offered: some,
      speller,
      isTextOnly,
      asksFor: settings.questions,
      policy,
      told,
      hasTerminals,
      roots: isOneClient ? roots : undefined,
      hasSessionArgument: namesSessions,
      own,
    });
  const terminals = terminalTools(dialects, {
    app,
    caller,
    // These tools imitate another program, whose texts do not name our tools.
    calls: spelledCalls(calls, app.commandLineSpeller),
    all,
    isTextOnly,
  });
  const fixed: readonly McpTool[] = [
    ...toolsFor(offered),
    ...terminals.tools,
    ...dialectTools({
      calls,
      toolsets,
      settings,
      policy,
      isTextOnly,
      structured: options.structured,
      all,
      offered,
      commandLine: app.commandLineSpeller,
    }),
  ];
  const needs = new Map<string, readonly string[]>([
    ...dialectNeeds(all),
    ...offered.map(({ tool, needs }) => [tool, needs] as const),
  ]);
  const usable = (): readonly McpTool[] =>
    fixed.filter(({ definition }) =>
      (needs.get(definition.name) ?? []).every((need) => capabilities?.[need] !== false),
    );
  let fromFiles:
    | { readonly commands: CallerTools['commands']; readonly tools: readonly McpTool[] }
    | undefined;
  const tools = (): readonly McpTool[] => {
    const commands = toolFiles?.commands() ?? NONE;
    if (fromFiles?.commands !== commands)
      fromFiles = { commands, tools: toolsFor(choose(allToolFacts(commands), choice)) };
    return [...usable(), ...fromFiles.tools];
  };
  const shown = (): readonly McpTool[] => tools().filter((tool) => isShown(tool, policy));
  const names = (): ReadonlySet<string> =>
    new Set(usable().flatMap((tool) => (isShown(tool, policy) ? [tool.definition.name] : [])));
  const prompts = (): McpConnection['prompts'] => promptsFor(names());
  const hiding = { policy, calls, speller, isTextOnly };
  const tasks = new ConnectionTasks({
    records: () => app.taskRecords(caller),
    principal: principalOf({ ...parts, caller }),
    operations: operationDoor(clientCalls, { isTextOnly }),
    refusalOf: (reached) => app.refusalOf(roots.caller, reached),
  });
  let closing: Promise<void> | undefined;
  return {
    get instructions() {
      const isReading = shown().every(({ definition }) => definition.annotations?.readOnlyHint === true);
      return instructions(names(), { newSession, isReading, mode: policy.mode });
    },
    facts: {
      'deskterity/desktop': newSession === undefined ? reported : { ...reported, new_session: newSession },
    },
    get tools() {
      return shown();
    },
    get hiddenTools() {
      return tools().flatMap((tool) => (isShown(tool, policy) ? [] : [hiddenTool(tool, hiding)]));
    },
    get toolsKnown() {
      return Promise.all([toolFiles?.known, terminals.known, examine(), policy.refresh()]).then(
        () => undefined,
      );
    },
    watchTools: (onChange) => {
      const listed = (): string =>
        [policy.mode, ...shown().map(({ definition }) => definition.name)].join(' ');
      const ends = [toolFiles?.watch(onChange), policy.watchFor(listed, onChange)];
      return () => ends.forEach((end) => end?.());
    },
    watchPrompts: (onChange) =>
      policy.watchFor(
        () =>
          prompts()
            .map(({ definition }) => definition.name)
            .join(' '),
        onChange,
      ),
    watchMode: (onChange) => policy.watchFor(() => policy.mode, onChange),
    watchPolicy: (onChange) => policy.watchFor(() => policy.lists, onChange),
    rootsChanged: () => roots.forget(),
    watchCommandEnds: (onEnd) => app.watchCommandEnds(calls.session, onEnd, caller),
    get prompts() {
      return prompts();
    },
    resources: clientResources(clientCalls, {
      version,
      mostWatches,
      hasOperations: () => names().has('operation_status'),
      hasTerminals: () => names().has('terminal'),
      watchPolicy: (onRead) => policy.watch(onRead),
      // Without the URI, which names an application.
      warn: (message) => log?.write({ level: 'warn', message }),
    }),
    complete: completeFor(calls, () => prompts().map(({ definition }) => definition)),
    tasks,
    close: () => {
      clearTimeout(preparing);
      return (closing ??= tasks.close().then(() => calls.close()));
    },
  };
}
