import type { z } from 'zod';
import type { Answer } from '../../../../app/app.ts';
import type { ToolFacts } from '../../../../app/tool-facts.ts';
import type { AskedFor } from '../../../../model/configuration/config.ts';
import type { Policy } from '../../../../model/policy/verdict.ts';
import type { ErrorCode } from '../../../../model/effects/errors.ts';
import { stringifyVisibly } from '../../../../model/text/untrusted-text.ts';
import type { McpTool, RequestChannel } from '../../connections/connection.ts';
import type { CallToolResult, ContentBlock } from '../../sdk.ts';
import { briefText } from '../../tools/brief-text.ts';
import type { ClientCalls } from '../../tools/client-calls.ts';
import { reportedCall } from '../../tools/reported-call.ts';
import { answerResult } from '../../tools/tool-result.ts';
import { runAsking } from './ax-asking.ts';
import { AxCall } from './ax-call.ts';
import { failureText } from './ax-failures.ts';
import { axSchema, readParameters } from './ax-schema.ts';

/** What a tool answers: data in the shape that the dialect defines, a text, or what a command says. */
export type AxAnswer =
  | { readonly data: Record<string, unknown>; readonly isFailure?: boolean }
  | { readonly text: string }
  | { readonly said: Answer };

export interface AxToolParts<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The commands that it needs; without one of them there is no such tool. */
  readonly commands: readonly [string, ...string[]];
  readonly parameters: S;
  /** The shape of its data. */
  readonly output?: z.ZodObject;
  readonly reads: boolean;
  readonly mayDestroy?: boolean;
  readonly isIdempotent?: boolean;
  /** Its calls can be tasks. */
  readonly isLong?: boolean;
  /** It runs other tools, so a failure may come after something has acted. */
  readonly runsOthers?: boolean;
  /** The next step after some failures, where that of the command would lead back to this tool. */
  readonly suggestions?: Readonly<Partial<Record<ErrorCode, string>>>;
  readonly run: (call: AxCall, input: z.output<S>) => Promise<AxAnswer>;
}

export interface AxSetting {
  readonly calls: ClientCalls;
  readonly policy: Pick<Policy, 'mode'>;
  /** What the client is asked. Default: what only a person can know. */
  readonly asksFor?: AskedFor | undefined;
  /** `always`: data with a short text; `never`: only text; default: both in full, as the protocol recommends. */
  readonly structured: 'always' | 'never' | undefined;
}

/** A tool of the dialect with what decides whether it is offered. */
export interface AxTool {
  readonly parts: Omit<AxToolParts, 'run' | 'parameters'>;
  readonly make: (setting: AxSetting) => McpTool;
  /** Runs it as a step of a workflow. @throws DeskterityError */
  readonly step: (call: AxCall, input: Readonly<Record<string, unknown>>) => Promise<AxAnswer>;
}

/** One row of the table: parameters and their command, answers and their shape. */
export function axTool<S extends z.ZodObject>(parts: AxToolParts<S>): AxTool {
  const step: AxTool['step'] = async (call, input) =>
    parts.run(call, readParameters(parts.parameters, input));
  return {
    parts,
    step,
    make: (setting) => ({
      definition: definitionOf(parts, setting),
      ...(parts.isLong === true ? { taskSupport: 'optional' } : {}),
      call: (input, channel) => answer(parts, setting, { input, channel, step }),
    }),
  };
}

function definitionOf(parts: AxToolParts, { structured }: AxSetting): McpTool['definition'] {
  const { name, title, description, output, reads, mayDestroy = false, isIdempotent = reads } = parts;
  return {
    name,
    title,
    description,
    get inputSchema() {
      return axSchema(parts.parameters, 'input');
    },
    ...(output === undefined || structured === 'never' ? {} : { outputSchema: axSchema(output, 'output') }),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: mayDestroy,
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

function answer(
  parts: Omit<AxToolParts, 'run' | 'parameters'>,
  { calls, policy, structured, asksFor = 'needed' }: AxSetting,
  {
    input,
    channel,
    step,
  }: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly channel: RequestChannel;
    readonly step: AxTool['step'];
  },
): Promise<CallToolResult> {
  const { name, title, output, runsOthers = false, suggestions = {} } = parts;
  const { mode } = policy;
  const isReading = mode === 'sandboxed' || !channel.may('act');
  return reportedCall({
    channel,
    title,
    deadlineMs: undefined,
    report: { tool: name, session: calls.session },
    run: async (_report, onStep) => {
      const onAsk = (): void => onStep('Waiting for the client to answer a question');
      const asking = { client: channel.client, asksFor, onAsk };
      const call = new AxCall(calls, channel.signal, { mode, isReading }, runsOthers ? undefined : asking);
      const given = await runAsking(asking, { name, input, runsOthers }, (asked) => step(call, asked));
      return result(given, output === undefined ? 'never' : structured);
    },
    failed: (error) => {
      const text = failureText(error, suggestions[error.code]);
      return { isError: true, content: [{ type: 'text', text }] };
    },
  });
}

function result(given: AxAnswer, structured: AxSetting['structured']): CallToolResult {
  if ('said' in given) return answerResult(given.said, { isTextOnly: true });
  if ('text' in given) return { content: [textBlock(given.text)] };
  const { data, isFailure } = given;
  const all = stringifyVisibly(data);
  return {
    ...(isFailure === true ? { isError: true } : {}),
    content: [textBlock(structured === 'always' && isFailure !== true ? briefText(all) : all)],
    ...(structured === 'never' ? {} : { structuredContent: data }),
  };
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

/** The tools whose commands this program has. */
export function offeredAxTools(table: readonly AxTool[], all: readonly ToolFacts[]): readonly AxTool[] {
  const known = new Set(all.map(({ command }) => command));
  return table.filter(({ parts: { commands } }) => commands.every((command) => known.has(command)));
}
