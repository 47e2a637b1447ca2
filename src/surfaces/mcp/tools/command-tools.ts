import { toolFacts, type Schema, type ToolFacts } from '../../../app/tool-facts.ts';
import type { App } from '../../../app/app.ts';
import type { OfferedCommands } from '../../../app/step-commands.ts';
import type { AskedFor } from '../../../model/configuration/config.ts';
import { changedError } from '../../../model/effects/changed-error.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import { isPossible, type Policy, type PolicyRequest } from '../../../model/policy/verdict.ts';
import { spellMentions, spellMentionsIn, type Speller } from '../../../model/text/mention.ts';
import { FRAME_TOKENS } from './application-text.ts';
import { reportedCall } from './reported-call.ts';
import { asksOf } from '../access/hidden-tool.ts';
import { TERMINAL } from '../access/scope-needed.ts';
import type { OwnSessions } from '../access/session-owners.ts';
import type { McpTool, RequestChannel } from '../connections/connection.ts';
import type { ClientRoots } from '../roots/client-roots.ts';
import type { ClientCalls } from './client-calls.ts';
import type { CallToolResult } from '../sdk.ts';
import { NamedSessions } from '../connections/named-sessions.ts';
import { runWithQuestions } from '../questions/run-with-questions.ts';
import { answerResult, failureResult } from './tool-result.ts';
import { ToldOutputs } from './told-outputs.ts';

export interface CommandToolsParts {
  readonly calls: ClientCalls;
  /** Commands offered to this client. */
  readonly offered: readonly ToolFacts[];
  readonly speller: Speller;
  readonly isTextOnly: boolean;
  /** What the client is asked. Default: what only a person can know. */
  readonly asksFor?: AskedFor | undefined;
  /** Decides what of the tools may be used. */
  readonly policy: Pick<Policy, 'decide'>;
  /** Whether the client has tools for terminals, and so references to them. */
  readonly hasTerminals: () => boolean;
  /** The outputs that the client has already received, from any of its tools. */
  readonly told?: ToldOutputs | undefined;
  /** The folders that the client works in; absent if they do not matter. */
  readonly roots?: Pick<ClientRoots, 'learn'> | undefined;
  /** Whether the client may name sessions. */
  readonly hasSessionArgument: () => boolean;
  /** The sessions of the owner of the connection, if owners are told apart. */
  readonly own?: OwnSessions | undefined;
}

type Input = Readonly<Record<string, unknown>>;

interface CallRequest {
  readonly input: Input;
  readonly channel: RequestChannel;
  readonly sessions: NamedSessions;
  readonly told: ToldOutputs;
}

/** Every tool that acts accepts the first, every one that may use keyboard or pointer the second; the third is for those who know the portal. */
const UNSAID = ['dry_run', 'seat', 'consent'];

/** To name a new session makes it. */
const MAKING_SESSIONS: PolicyRequest = { command: 'session new', isReadOnly: false };

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
  const sessions = new NamedSessions(parts.calls, {
    mayCreate: () => isPossible(parts.policy, MAKING_SESSIONS),
    own: parts.own,
  });
  const told = parts.told ?? new ToldOutputs();
  return parts.offered.map((facts) => ({
    definition: definitionOf(facts, parts),
    ...(facts.longRunning === undefined ? {} : { taskSupport: 'optional' }),
    runsOperation: facts.longRunning === 'operation',
    scope: facts.access,
    beyondReading: facts.beyondReading,
    asks: asksOf([facts]),
    call: (input, channel) => call(facts, parts, { input, channel, sessions, told }),
  }));
}

/** The getters defer expensive work until tools are listed, after initialize has been answered. */
function definitionOf(
  facts: ToolFacts,
  { isTextOnly, policy, hasSessionArgument, hasTerminals, speller }: CommandToolsParts,
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
      if (facts.isForeign) return { ...inputSchema, type: 'object' as const };
      // The instructions tell of it once, because the short list is sent with every conversation.
      const unsaid = facts.toolsets.includes('core') ? UNSAID : [];
      const mayGoBeyond = isPossible(policy, facts.asksBeyond);
      const hidden = [...hiddenKeys(facts, mayGoBeyond), ...(hasTerminals() ? [] : [TERMINAL]), ...unsaid];
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
        properties: hasSessionArgument() ? { ...properties, session: SESSION_ARGUMENT } : properties,
      };
    },
    get outputSchema() {
      return isTextOnly ? undefined : { ...facts.outputSchema, type: 'object' as const };
    },
    annotations: hints(facts),
  };
}

/** Without what the protocol assumes anyway; `destructiveHint` and `idempotentHint` only mean something for a tool that changes something. */
function hints({
  isReadOnly,
  isDestructive,
  isIdempotent,
  isForeign,
}: ToolFacts): McpTool['definition']['annotations'] {
  return isReadOnly
    ? { readOnlyHint: true, openWorldHint: false }
    : {
        destructiveHint: isDestructive,
        ...(isIdempotent ? { idempotentHint: true } : {}),
        openWorldHint: isForeign,
      };
}

function call(
  facts: ToolFacts,
  parts: CommandToolsParts,
  { input, channel, sessions, told }: CallRequest,
): Promise<CallToolResult> {
  const { calls, isTextOnly, policy, speller, roots, asksFor = 'needed' } = parts;
  const { may } = channel;
  const keysHiddenOf = (of: ToolFacts): readonly string[] =>
    hiddenKeys(of, may('act') && isPossible(policy, of.asksBeyond));
  const offered = parts.offered.filter(({ access }) => may(access));
  const rights = { mayCreate: may('act'), mayUseAll: may('admin') };
  const form = { isTextOnly };
  return reportedCall({
    channel,
    title: facts.title,
    deadlineMs: facts.isForeign ? undefined : deadlineOf(facts, input),
    report: { tool: facts.tool, session: calls.session },
    run: async (report, onStep) => {
      // Every parameter of a tool of another server is that server's.
      const namesSessions = parts.hasSessionArgument();
      const hasSession = namesSessions && !facts.isForeign;
      const { session: named, ...rest } = hasSession ? input : { ...input, session: undefined };
      const hidden = keysHiddenOf(facts);
      if (!namesSessions && 'session' in input && !facts.isForeign) refuse(facts, 'session', hidden);
      for (const key of hidden) if (key in rest) refuse(facts, key, hidden);
      // Questions come before anything that the call does.
      if (facts.toolsets.includes('operations')) await roots?.learn(channel);
      if (named !== undefined) {
        report.session = sessionArgument(named);
        await sessions.require(report.session, channel.signal, rights);
      }
      const given = facts.isForeign ? input : withinBudget(rest, isTextOnly);
      const answer = await runWithQuestions({
        command: facts.command,
        input: given,
        runsOthers: facts.alsoRuns.length > 0 || 'steps' in rest,
        client: channel.client,
        asksFor,
        run: (asked, consent) =>
          calls.answer(facts.command, asked, {
            canConfirm: asksFor !== 'never' && channel.client.canAnswer('form'),
            consent,
            session: report.session,
            form: isTextOnly ? 'outline' : 'json',
            signal: channel.signal,
            // What a task answers may never be read.
            change: (output) =>
              channel.task?.isTask() === true ? output : told.once(report.session, facts.command, output),
            ...(facts.longRunning === 'operation' ? { onOperation: channel.task?.onOperation } : {}),
            onProgress: ({ message }) => onStep(message),
            offered: stepsOf(facts, offered, { keysHiddenOf, mayUseTerminals: may('admin') }),
          }),
        outputOf: ({ output }) => output,
        onAsk: () => onStep('Waiting for the client to answer a question'),
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
  {
    keysHiddenOf,
    mayUseTerminals,
  }: { readonly keysHiddenOf: (facts: ToolFacts) => readonly string[]; readonly mayUseTerminals: boolean },
): OfferedCommands {
  const terminal = mayUseTerminals ? [] : [TERMINAL];
  return new Map([
    ...alsoRuns.map((command) => [command, []] as const),
    ...offered.map((facts) => [facts.command, [...keysHiddenOf(facts), ...terminal]] as const),
  ]);
}

/** Refuses a parameter that only the command line accepts. */
function refuse({ tool, labels, pictureFile }: ToolFacts, key: string, hidden: readonly string[]): never {
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
  mayGoBeyond: boolean,
): readonly string[] {
  return [pictureFile, peopleOnly, mayGoBeyond ? undefined : beyondReading].filter(
    (key) => key !== undefined,
  );
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
