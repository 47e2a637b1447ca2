import { toolFacts, type Schema, type ToolFacts } from '../../../app/tool-facts.ts';
import type { App } from '../../../app/app.ts';
import type { OfferedCommands } from '../../../app/step-commands.ts';
import { changedError } from '../../../model/effects/changed-error.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import { spellMentions, spellMentionsIn, type Speller } from '../../../model/text/mention.ts';
import { FRAME_TOKENS } from './application-text.ts';
import { reportedCall } from './reported-call.ts';
import type { McpTool, RequestChannel } from '../connections/connection.ts';
import type { ClientRoots } from '../roots/client-roots.ts';
import type { ClientCalls } from './client-calls.ts';
import type { CallToolResult } from '../sdk.ts';
import { NamedSessions } from '../connections/named-sessions.ts';
import { answerResult, failureResult } from './tool-result.ts';
import { ToldOutputs } from './told-outputs.ts';

export interface CommandToolsParts {
  readonly calls: ClientCalls;
  /** Commands offered to this client. */
  readonly offered: readonly ToolFacts[];
  readonly speller: Speller;
  readonly isTextOnly: boolean;
  /** The client may only read, so it creates no sessions. */
  readonly isReadOnly: boolean;
  /** The client has tools for terminals, and so references to them. */
  readonly hasTerminals: boolean;
  /** The outputs that the client has already received, from any of its tools. */
  readonly told?: ToldOutputs | undefined;
  /** The folders that the client works in; absent if they do not matter. */
  readonly roots?: Pick<ClientRoots, 'learn'> | undefined;
  /** Each tool has a session parameter, for clients whose requests belong to no connection. */
  readonly hasSessionArgument: boolean;
}

type Input = Readonly<Record<string, unknown>>;

interface CallRequest {
  readonly input: Input;
  readonly channel: RequestChannel;
  readonly sessions: NamedSessions;
  readonly told: ToldOutputs;
}

/** The parameter that leads to the screen of a terminal. */
const TERMINAL = 'terminal';

const SESSION_ARGUMENT = {
  type: 'string',
  description: 'Session. Default: your own.',
};

/** All commands that are tools. */
export function allToolFacts(commands: App['commands']): readonly ToolFacts[] {
  return commands.map((command) => toolFacts(command)).filter((facts) => facts !== undefined);
}

/** Commands as tools. */
export function commandTools(parts: CommandToolsParts): readonly McpTool[] {
  const sessions = new NamedSessions(parts.calls, { mayCreate: !parts.isReadOnly });
  const told = parts.told ?? new ToldOutputs();
  return parts.offered.map((facts) => ({
    definition: definitionOf(facts, parts),
    call: (input, channel) => call(facts, parts, { input, channel, sessions, told }),
  }));
}

/** The getters defer expensive work until tools are listed, after initialize has been answered. */
function definitionOf(
  facts: ToolFacts,
  { isTextOnly, isReadOnly, hasSessionArgument, hasTerminals, speller }: CommandToolsParts,
): McpTool['definition'] {
  const { tool, title } = facts;
  return {
    name: tool,
    title,
    get description() {
      const { description, foreignSummary } = facts;
      return foreignSummary + spellMentions(description.slice(foreignSummary.length), speller);
    },
    get inputSchema() {
      const { inputSchema } = facts;
      const hidden = [...hiddenKeys(facts, isReadOnly), ...(hasTerminals ? [] : [TERMINAL])];
      // Descriptions from tool files contain no mentions.
      const all =
        facts.foreignSummary === ''
          ? spellMentionsIn(inputSchema['properties'], speller)
          : inputSchema['properties'];
      const properties = Object.fromEntries(
        Object.entries(isSchema(all) ? all : {}).filter(([key]) => !hidden.includes(key)),
      );
      return {
        ...inputSchema,
        type: 'object' as const,
        properties: hasSessionArgument ? { ...properties, session: SESSION_ARGUMENT } : properties,
      };
    },
    get outputSchema() {
      return isTextOnly ? undefined : { ...facts.outputSchema, type: 'object' as const };
    },
    annotations: hints(facts),
  };
}

/** Without what the protocol assumes anyway; `destructiveHint` and `idempotentHint` only mean something for a tool that changes something. */
function hints({ isReadOnly, isDestructive, isIdempotent }: ToolFacts): McpTool['definition']['annotations'] {
  return isReadOnly
    ? { readOnlyHint: true, openWorldHint: false }
    : {
        destructiveHint: isDestructive,
        ...(isIdempotent ? { idempotentHint: true } : {}),
        openWorldHint: false,
      };
}

function call(
  facts: ToolFacts,
  { calls, offered, isTextOnly, isReadOnly, hasSessionArgument, speller, roots }: CommandToolsParts,
  { input, channel, sessions, told }: CallRequest,
): Promise<CallToolResult> {
  const form = { isTextOnly };
  return reportedCall({
    channel,
    title: facts.title,
    deadlineMs: deadlineOf(facts, input),
    report: { tool: facts.tool, session: calls.session },
    run: async (report, onStep) => {
      const { session: named, ...rest } = hasSessionArgument ? input : { ...input, session: undefined };
      if (!hasSessionArgument && 'session' in input) refuse(facts, 'session', isReadOnly);
      for (const key of hiddenKeys(facts, isReadOnly)) if (key in rest) refuse(facts, key, isReadOnly);
      // Questions come before anything that the call does.
      if (facts.toolsets.includes('operations')) await roots?.learn(channel);
      if (named !== undefined) {
        report.session = sessionArgument(named);
        await sessions.require(report.session, channel.signal);
      }
      const answer = await calls.answer(facts.command, withinBudget(rest, isTextOnly), {
        session: report.session,
        form: isTextOnly ? 'outline' : 'json',
        signal: channel.signal,
        change: (output) => told.once(report.session, facts.command, output),
        onProgress: ({ message }) => onStep(message),
        offered: stepsOf(facts, offered, isReadOnly),
      });
      report.output = answer.output;
      report.durationMs = answer.durationMs;
      return answerResult(answer, form);
    },
    failed: (error) => failureResult(changedError(error, speller), form),
  });
}

/** A tool that runs others runs only what this client could do itself. */
function stepsOf(
  { alsoRuns }: ToolFacts,
  offered: readonly ToolFacts[],
  isReadOnly: boolean,
): OfferedCommands {
  return new Map([
    ...alsoRuns.map((command) => [command, []] as const),
    ...offered.map((facts) => [facts.command, hiddenKeys(facts, isReadOnly)] as const),
  ]);
}

/** Refuses a parameter that only the command line accepts. */
function refuse(facts: ToolFacts, key: string, isReadOnly: boolean): never {
  const { tool, labels, pictureFile } = facts;
  const hidden = hiddenKeys(facts, isReadOnly);
  const accepted = labels.map((label) => label.key).filter((name) => !hidden.includes(name));
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${tool} does not accept ${key}; it accepts ${accepted.join(', ')}.`,
    {
      suggestion:
        key === pictureFile ? 'Leave it out: the answer contains the picture.' : 'Remove it and try again.',
    },
  );
}

/** Parameters of the command that this client is not offered. */
function hiddenKeys(
  { pictureFile, peopleOnly, beyondReading }: ToolFacts,
  isReadOnly: boolean,
): readonly string[] {
  return [pictureFile, peopleOnly, isReadOnly ? beyondReading : undefined].filter((key) => key !== undefined);
}

function sessionArgument(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new DeskterityError('INVALID_ARGUMENT', 'session is not a name.', {
    suggestion: 'Leave it out to use your own session.',
  });
}

/** Reserves tokens for the marks around the text. */
function withinBudget(input: Input, isTextOnly: boolean): Input {
  const bound = input['max_tokens'];
  return isTextOnly && typeof bound === 'number' && bound > FRAME_TOKENS
    ? { ...input, max_tokens: bound - FRAME_TOKENS }
    : input;
}

function deadlineOf({ inputSchema }: ToolFacts, input: Input): number | undefined {
  const given = input['timeout_ms'] ?? input['ms'];
  if (typeof given === 'number') return given;
  const properties = inputSchema['properties'];
  const property = isSchema(properties) ? properties['timeout_ms'] : undefined;
  const usual = isSchema(property) ? property['default'] : undefined;
  return typeof usual === 'number' ? usual : undefined;
}

function isSchema(value: unknown): value is Schema {
  return isRecord(value);
}
