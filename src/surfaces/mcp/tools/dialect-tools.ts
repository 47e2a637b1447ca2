import type { Speller } from '../../../model/text/mention.ts';
import type { Configuration } from '../../../model/configuration/config.ts';
import type { ToolFacts } from '../../../app/tool-facts.ts';
import type { Policy } from '../../../model/policy/verdict.ts';
import { asksOf } from '../access/hidden-tool.ts';
import type { McpTool } from '../connections/connection.ts';
import { DESCRIBE, describeTool } from '../describe/describe-tool.ts';
import { AX_EQUIVALENTS, axNeeds, axTools } from '../dialects/ax/ax-tools.ts';
import { inspectTools, type InspectOptions } from '../dialects/inspect/inspect-tools.ts';
import type { ClientCalls } from './client-calls.ts';
import { spelledCalls, toolSpeller } from './client-spelling.ts';
import { AX, INSPECT } from './toolsets.ts';

export interface DialectParts {
  readonly calls: ClientCalls;
  readonly toolsets: readonly string[];
  readonly settings: Configuration['mcp'];
  readonly policy: Policy;
  readonly isTextOnly: boolean;
  readonly structured: 'always' | 'never' | undefined;
  /** All commands as tools, and those of them that the client has. */
  readonly all: readonly ToolFacts[];
  readonly offered: readonly ToolFacts[];
  readonly commandLine: Speller;
}

/** The tools that do not stand for one command each, as far as the client has chosen them. */
export function dialectTools(parts: DialectParts): readonly McpTool[] {
  const { calls, toolsets, settings, policy, structured, all, offered, commandLine } = parts;
  const facts = new Map(all.map((one) => [one.command, one]));
  const asks = (...commands: readonly string[]) =>
    asksOf(commands.flatMap((command) => facts.get(command) ?? []));
  const spelled = (others: Readonly<Record<string, string>> = {}): ClientCalls =>
    spelledCalls(calls, toolSpeller({ offered, policy, others, commandLine }));
  return [
    ...(toolsets.includes(INSPECT)
      ? inspecting(spelled(INSPECT_EQUIVALENTS), parts).map((tool) => ({
          ...tool,
          asks: asks(...(INSPECT_COMMANDS[tool.definition.name] ?? [])),
        }))
      : []),
    ...(toolsets.includes(AX)
      ? axTools({ calls: spelled(AX_EQUIVALENTS), policy, structured, asksFor: settings.questions }, all)
      : []),
    ...(settings.describe ? [{ ...describeTool(spelled()), asks: asks('snapshot', 'screenshot') }] : []),
  ];
}

/** The capabilities of the desktop that each of them needs. */
export function dialectNeeds(all: readonly ToolFacts[]): readonly (readonly [string, readonly string[]])[] {
  return [[DESCRIBE, ['tree', 'capture']], ...INSPECT_NEEDS, ...axNeeds(all)];
}

/** Tools of the inspect dialect by the equivalent command. */
const INSPECT_EQUIVALENTS = {
  snapshot: 'get_ui_tree',
  find: 'find_element',
  focused: 'get_focused_element',
  'list-apps': 'list_windows',
  'list-windows': 'list_windows',
} as const;

/** The commands that each of them runs. */
const INSPECT_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  get_ui_tree: ['snapshot'],
  find_element: ['find'],
  get_focused_element: ['focused'],
  list_windows: ['list-windows'],
};

const INSPECT_NEEDS: readonly (readonly [string, readonly string[]])[] = [
  ['list_windows', ['windows']],
  ['get_ui_tree', ['tree']],
  ['find_element', ['tree']],
  ['get_focused_element', ['tree']],
];

/** The dialect returns no references, so it reads in the observing session. */
function inspecting(calls: ClientCalls, { isTextOnly, settings }: DialectParts): readonly McpTool[] {
  const observing: ClientCalls = { ...calls, answer: (...asked) => calls.look(...asked) };
  return inspectTools(observing, { isTextOnly, timeoutsMs: timeoutsOf(settings) });
}

function timeoutsOf(settings: Configuration['mcp']): NonNullable<InspectOptions['timeoutsMs']> {
  return {
    tree: settings.inspect_tree_timeout_ms,
    search: settings.inspect_search_timeout_ms,
    focused: settings.inspect_focused_timeout_ms,
    windows: settings.inspect_windows_timeout_ms,
  };
}
