import type { Caller } from '../../../../model/sessions/caller.ts';
import type { App } from '../../../../app/app.ts';
import type { ToolFacts } from '../../../../app/tool-facts.ts';
import type { McpTool } from '../../connections/connection.ts';
import type { DeskCalls } from '../../tools/desk-calls.ts';
import type { McpOptions } from '../../options.ts';
import { TERMINATOR } from '../../tools/toolsets.ts';
import { describeTool } from './descriptions.ts';
import type { ToolDescription } from './descriptions.ts';
import type { TerminalDialect } from './dialects.ts';
import { TERMINAL_CALL, terminalTool } from './terminal-tool.ts';

/** The tools for terminals that a client is offered. */
export function terminalDialects(
  chosen: readonly ToolFacts[],
  { toolsets, isReadOnly }: Pick<McpOptions, 'toolsets' | 'isReadOnly'>,
): readonly TerminalDialect[] {
  const isOurs = chosen.some(({ command }) => command === TERMINAL_CALL);
  const isTheirs = toolsets.includes(TERMINATOR) && !isReadOnly;
  return [...(isOurs ? (['terminal'] as const) : []), ...(isTheirs ? (['terminator'] as const) : [])];
}

/** What a client is offered, while its settings are still being read. */
export interface TerminalTools {
  readonly tools: readonly McpTool[];
  /** Resolves when the tools tell the defaults that count for this client. */
  readonly known: Promise<unknown>;
}

/** With the defaults that count for this client when it connects; it is greeted before they are read. */
export function terminalTools(
  dialects: readonly TerminalDialect[],
  {
    app,
    caller,
    calls,
    all,
    isTextOnly,
  }: {
    readonly app: Pick<App, 'terminalFacts'>;
    readonly caller: Caller;
    readonly calls: DeskCalls;
    readonly all: readonly ToolFacts[];
    readonly isTextOnly: boolean;
  },
): TerminalTools {
  const facts = all.find(({ command }) => command === TERMINAL_CALL);
  if (facts === undefined) return { tools: [], known: Promise.resolve() };
  const made = dialects.map((dialect) => {
    const described: { tool: ToolDescription } = { tool: NOT_YET };
    const known = app
      .terminalFacts(caller)
      .then((now) => (described.tool = describeTool(dialect, facts.description, now)));
    return { known, tool: terminalTool({ dialect, facts, described, calls, isTextOnly }) };
  });
  return { tools: made.map(({ tool }) => tool), known: Promise.all(made.map(({ known }) => known)) };
}

const NOT_YET: ToolDescription = { description: '', parameters: {} };
