import { flatSchema } from '../../../../app/tool-facts.ts';
import type { ToolFacts } from '../../../../app/tool-facts.ts';
import { once } from '../../../../model/once.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import {
  messageParts,
  TerminalAnswer,
  TerminalOutcome,
} from '../../../../model/terminals/terminal-answer.ts';
import { revealLines } from '../../../../model/text/untrusted-text.ts';
import { markApplicationText } from '../../tools/application-text.ts';
import { logCall } from '../../tools/call-log.ts';
import { CallProgress } from '../../tools/call-progress.ts';
import type { McpTool, RequestVoice } from '../../connections/connection.ts';
import type { DeskCalls } from '../../tools/desk-calls.ts';
import type { CallToolResult } from '../../sdk.ts';
import type { ToolDescription } from './descriptions.ts';
import { TOOL_NAMES } from './dialects.ts';
import type { TerminalDialect } from './dialects.ts';
import { actionIn, readCall } from './read-call.ts';
import { failureInWords, terminatorMessage } from './terminal-words.ts';
import type { Caller } from '../../../../model/sessions/caller.ts';
import type { App } from '../../../../app/app.ts';
import type { McpOptions } from '../../options.ts';
import { TERMINATOR } from '../../tools/toolsets.ts';
import { describeTool } from './descriptions.ts';

const answerSchema = once(() => flatSchema(TerminalAnswer));

/** The command that both tools call. */
export const TERMINAL_CALL = 'terminal-call';

/** For clients whose models know no dots in names. */
const ALIASES: Readonly<Partial<Record<TerminalDialect, readonly string[]>>> = {
  terminator: ['terminator_execute'],
};

export interface TerminalToolParts {
  readonly dialect: TerminalDialect;
  /** Of the command {@link TERMINAL_CALL}. */
  readonly facts: ToolFacts;
  /** May be told later, before the tools are listed. */
  readonly described: { readonly tool: ToolDescription };
  readonly calls: Pick<DeskCalls, 'answer' | 'session'>;
  /** No structured content and no output schema. */
  readonly isTextOnly: boolean;
}

/** A tool that takes whatever a model calls its parameters; what cannot be understood is an answer in the tool's own words. */
export function terminalTool(parts: TerminalToolParts): McpTool {
  const { dialect, facts, described, isTextOnly } = parts;
  const aliases = ALIASES[dialect];
  return {
    ...(aliases === undefined ? {} : { aliases }),
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
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    call: (input, voice) => call(parts, input, voice),
  };
}

/** Without `additionalProperties`: other spellings are understood. */
function inputSchema({ parameters }: ToolDescription): McpTool['definition']['inputSchema'] {
  const entries = Object.entries(parameters);
  const required = entries.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { type, description, default: usual, enum: values }]) => [
        name,
        {
          type,
          description,
          ...(usual === undefined ? {} : { default: usual }),
          ...(values === undefined ? {} : { enum: [...values] }),
        },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

function outputSchema({ dialect }: TerminalToolParts): McpTool['definition']['outputSchema'] {
  return dialect === 'terminator'
    ? { type: 'object', properties: { success: { type: 'boolean' }, message: { type: 'string' } } }
    : { ...answerSchema(), type: 'object' };
}

async function call(
  parts: TerminalToolParts,
  input: Readonly<Record<string, unknown>>,
  voice: RequestVoice,
): Promise<CallToolResult> {
  const { dialect, facts, calls } = parts;
  const tool = TOOL_NAMES[dialect];
  const started = performance.now();
  const progress = new CallProgress(voice, facts.title, undefined);
  const log = (told: { readonly error?: DeskterityError }) =>
    logCall(voice, {
      tool,
      session: calls.session,
      durationMs: Math.round(performance.now() - started),
      ...told,
    });
  try {
    const { call, ignored } = readCall(input, dialect);
    const { output, news } = await calls.answer(
      TERMINAL_CALL,
      { call, ignored },
      { form: parts.isTextOnly ? 'outline' : 'json', signal: voice.signal },
    );
    log({});
    const { answer: _answer, bare_message: _bare, awaits: _awaits, ...others } = output;
    return result(parts, TerminalOutcome.parse(output), { others, news });
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    log({ error });
    const answer = failureInWords(dialect, actionIn(input), error);
    return result(parts, { answer, bare_message: answer.message }, { others: {}, news: '' });
  } finally {
    progress.end();
  }
}

function result(
  { dialect, isTextOnly }: TerminalToolParts,
  outcome: TerminalOutcome,
  // What the answer has beside that of the command, such as commands that have ended meanwhile.
  { others, news }: { readonly others: Record<string, unknown>; readonly news: string },
): CallToolResult {
  const { answer } = outcome;
  const { success } = answer;
  const isTheirs = dialect === 'terminator';
  const message = terminatorMessage(outcome);
  const text = isTheirs ? revealLines(message) : [marked(answer), news].filter(isText).join('\n');
  const structuredContent = isTheirs ? { success, message } : { ...others, ...answer };
  return {
    ...(success ? {} : { isError: true }),
    content: [{ type: 'text', text }],
    ...(isTextOnly ? {} : { structuredContent }),
  };
}

/** What a program wrote stands between marks: it is no word of ours. */
function marked(answer: TerminalAnswer): string {
  const { head, output, remarks } = messageParts(answer);
  return [revealLines(head), output === '' ? '' : markApplicationText(output), revealLines(remarks)]
    .filter(isText)
    .join('\n');
}

function isText(part: string): boolean {
  return part !== '';
}

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
