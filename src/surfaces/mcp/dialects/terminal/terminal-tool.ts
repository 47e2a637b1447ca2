import type { ToolFacts } from '../../../../app/tool-facts.ts';
import { failureInWords } from '../../../../app/terminals/terminal-words.ts';
import type { TerminalTool } from '../../../../app/terminals/terminal-words.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { TerminalDialect } from '../../../../model/terminals/terminal-action.ts';
import { messageParts, TerminalAnswer } from '../../../../model/terminals/terminal-answer.ts';
import { revealLines } from '../../../../model/text/untrusted-text.ts';
import { markApplicationText } from '../../tools/application-text.ts';
import { logCall } from '../../tools/call-log.ts';
import { CallProgress } from '../../tools/call-progress.ts';
import type { McpTool, RequestVoice } from '../../connections/connection.ts';
import type { DeskCalls } from '../../tools/desk-calls.ts';
import type { CallToolResult } from '../../sdk.ts';

/** The command that both tools call. */
export const TERMINAL_CALL = 'terminal-call';

const NAMES: Readonly<Record<TerminalDialect, string>> = {
  terminal: 'terminal',
  terminator: 'terminator.execute',
};
/** For clients whose models know no dots in names. */
const ALIASES: Readonly<Partial<Record<TerminalDialect, readonly string[]>>> = {
  terminator: ['terminator_execute'],
};

export interface TerminalToolParts {
  readonly dialect: TerminalDialect;
  /** Of the command {@link TERMINAL_CALL}. */
  readonly facts: ToolFacts;
  /** May be told later, before the tools are listed. */
  readonly described: { readonly tool: TerminalTool };
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
      name: NAMES[dialect],
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
function inputSchema({ parameters }: TerminalTool): McpTool['definition']['inputSchema'] {
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

function outputSchema({ dialect, facts }: TerminalToolParts): McpTool['definition']['outputSchema'] {
  return dialect === 'terminator'
    ? { type: 'object', properties: { success: { type: 'boolean' }, message: { type: 'string' } } }
    : { ...facts.outputSchema, type: 'object' };
}

async function call(
  parts: TerminalToolParts,
  input: Readonly<Record<string, unknown>>,
  voice: RequestVoice,
): Promise<CallToolResult> {
  const { dialect, facts, calls } = parts;
  const tool = NAMES[dialect];
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
    const { output, news } = await calls.answer(
      TERMINAL_CALL,
      { dialect, given: { ...input } },
      { form: parts.isTextOnly ? 'outline' : 'json', signal: voice.signal },
    );
    log({});
    return result(parts, TerminalAnswer.parse(output), { data: output, news });
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    log({ error });
    const answer = failureInWords(dialect, input, error);
    return result(parts, answer, { data: { ...answer }, news: '' });
  } finally {
    progress.end();
  }
}

function result(
  { dialect, isTextOnly }: TerminalToolParts,
  answer: TerminalAnswer,
  { data, news }: { readonly data: Record<string, unknown>; readonly news: string },
): CallToolResult {
  const { success, message } = answer;
  const text =
    dialect === 'terminator' ? revealLines(message) : [marked(answer), news].filter(isText).join('\n');
  const structuredContent = dialect === 'terminator' ? { success, message } : data;
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
