import { flatSchema, type ToolFacts } from '../../../../app/tool-facts.ts';
import { once } from '../../../../model/once.ts';
import {
  messageParts,
  TerminalAnswer,
  TerminalOutcome,
} from '../../../../model/terminals/terminal-answer.ts';
import { revealLines } from '../../../../model/text/untrusted-text.ts';
import { briefText } from '../../tools/brief-text.ts';
import { markApplicationText } from '../../tools/application-text.ts';
import { reportedCall } from '../../tools/reported-call.ts';
import { asksOf } from '../../access/hidden-tool.ts';
import type { McpTool, RequestChannel } from '../../connections/connection.ts';
import type { ClientCalls } from '../../tools/client-calls.ts';
import type { CallToolResult } from '../../sdk.ts';
import { TOOL_NAMES, type TerminalDialect } from './dialects.ts';
import { actionIn, readCall } from './read-call.ts';
import { describeFailure, terminatorMessage } from './terminal-words.ts';
import type { Caller } from '../../../../model/sessions/caller.ts';
import type { App } from '../../../../app/app.ts';
import type { McpOptions } from '../../options.ts';
import { TERMINATOR } from '../../tools/toolsets.ts';
import { describeTool, type ToolDescription } from './descriptions.ts';

const answerSchema = once(() => flatSchema(TerminalAnswer));

/** The command behind both tools. */
export const TERMINAL_CALL = 'terminal-call';

/** For clients that do not support dots in tool names. */
const ALIASES: Readonly<Partial<Record<TerminalDialect, readonly string[]>>> = {
  terminator: ['terminator_execute'],
};

export interface TerminalToolParts {
  readonly dialect: TerminalDialect;
  /** Facts of the command {@link TERMINAL_CALL}. */
  readonly facts: ToolFacts;
  /** May be filled in later, before the tools are listed. */
  readonly described: { readonly tool: ToolDescription };
  readonly calls: Pick<ClientCalls, 'answer' | 'session'>;
  /** No structured content and no output schema. */
  readonly isTextOnly: boolean;
}

/** A tool with lenient parameter names; invalid input is answered in the tool's own terms. */
export function terminalTool(parts: TerminalToolParts): McpTool {
  const { dialect, facts, described, isTextOnly } = parts;
  const aliases = ALIASES[dialect];
  return {
    ...(aliases === undefined ? {} : { aliases }),
    scope: facts.access,
    asks: asksOf([facts]),
    definition: {
      name: TOOL_NAMES[dialect],
      title: facts.title,
      get description() {
        return described.tool.description;
      },
      get inputSchema() {
        return inputSchema(described.tool);
      },
      ...(isTextOnly ? {} : { outputSchema: outputSchema(parts) }),
      annotations: { destructiveHint: true },
    },
    call: (input, channel) => call(parts, input, channel),
  };
}

/** Without `additionalProperties`, as other spellings are accepted. */
function inputSchema({ parameters, required }: ToolDescription): McpTool['definition']['inputSchema'] {
  return { type: 'object', properties: parameters, ...(required === undefined ? {} : { required }) };
}

function outputSchema({ dialect }: TerminalToolParts): McpTool['definition']['outputSchema'] {
  return dialect === 'terminator'
    ? { type: 'object', properties: { success: { type: 'boolean' }, message: { type: 'string' } } }
    : { ...answerSchema(), type: 'object' };
}

function call(
  parts: TerminalToolParts,
  input: Readonly<Record<string, unknown>>,
  channel: RequestChannel,
): Promise<CallToolResult> {
  const { dialect, facts, calls } = parts;
  return reportedCall({
    channel,
    title: facts.title,
    deadlineMs: undefined,
    report: { tool: TOOL_NAMES[dialect], session: calls.session },
    run: async () => {
      const { output, finished } = await calls.answer(TERMINAL_CALL, readCall(input, dialect), {
        form: parts.isTextOnly ? 'outline' : 'json',
        signal: channel.signal,
      });
      const { answer: _answer, bare_message: _bare, awaits: _awaits, ...others } = output;
      return result(parts, TerminalOutcome.parse(output), { others, finished });
    },
    failed: (error) => {
      const answer = describeFailure(dialect, actionIn(input), error);
      return result(parts, { answer, bare_message: answer.message }, { others: {}, finished: '' });
    },
  });
}

function result(
  { dialect, isTextOnly }: TerminalToolParts,
  outcome: TerminalOutcome,
  // Additional fields of the answer, such as commands that have ended meanwhile.
  { others, finished }: { readonly others: Record<string, unknown>; readonly finished: string },
): CallToolResult {
  const { answer } = outcome;
  const { success } = answer;
  const isTerminator = dialect === 'terminator';
  const message = terminatorMessage(outcome);
  const spoken = isTerminator ? { ...answer, message } : answer;
  const text = [marked(spoken, isTextOnly || !success), ...(isTerminator || !isTextOnly ? [] : [finished])]
    .filter(isText)
    .join('\n');
  const structuredContent = isTerminator ? { success, message } : { ...others, ...answer };
  return {
    ...(success ? {} : { isError: true }),
    content: [{ type: 'text', text }],
    ...(isTextOnly ? {} : { structuredContent }),
  };
}

/** Output of programs is marked as untrusted; beside structured content it is only begun. */
function marked(answer: TerminalAnswer, isWhole: boolean): string {
  const { head, output, remarks } = messageParts(answer);
  const shown = isWhole ? output : briefText(output);
  return [revealLines(head), shown === '' ? '' : markApplicationText(shown), revealLines(remarks)]
    .filter(isText)
    .join('\n');
}

function isText(part: string): boolean {
  return part !== '';
}

/** The dialects of terminal tools offered to a client. */
export function terminalDialects(
  chosen: readonly ToolFacts[],
  { toolsets }: Pick<McpOptions, 'toolsets'>,
): readonly TerminalDialect[] {
  const hasOwn = chosen.some(({ command }) => command === TERMINAL_CALL);
  const isTerminator = toolsets.includes(TERMINATOR);
  return [...(hasOwn ? (['terminal'] as const) : []), ...(isTerminator ? (['terminator'] as const) : [])];
}

/** Tools whose settings may still be loading. */
export interface TerminalTools {
  readonly tools: readonly McpTool[];
  /** Resolves when the tools describe this client's defaults. */
  readonly known: Promise<unknown>;
}

/** The terminal tools, with the client's defaults, which are read after initialize has been answered. */
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
    readonly calls: ClientCalls;
    readonly all: readonly ToolFacts[];
    readonly isTextOnly: boolean;
  },
): TerminalTools {
  const facts = all.find(({ command }) => command === TERMINAL_CALL);
  if (facts === undefined) return { tools: [], known: Promise.resolve() };
  const made = dialects.map((dialect) => {
    const described: { tool: ToolDescription } = { tool: NOT_LOADED };
    const known = app
      .terminalFacts(caller)
      .then((now) => (described.tool = describeTool(dialect, facts.description, now)));
    return { known, tool: terminalTool({ dialect, facts, described, calls, isTextOnly }) };
  });
  return { tools: made.map(({ tool }) => tool), known: Promise.all(made.map(({ known }) => known)) };
}

const NOT_LOADED: ToolDescription = { description: '', parameters: {} };
