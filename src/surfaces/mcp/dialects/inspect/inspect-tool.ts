import type { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { stringifyVisibly } from '../../../../model/text/untrusted-text.ts';
import { logCall } from '../../tools/call-log.ts';
import { CallProgress } from '../../tools/call-progress.ts';
import type { McpTool, RequestVoice } from '../../connections/connection.ts';
import type { DeskCalls } from '../../tools/desk-calls.ts';
import type { CallToolResult } from '../../sdk.ts';
import { failureOf } from './failures.ts';
import { InspectCall } from './inspect-call.ts';
import { inputSchema, readInput } from './read-input.ts';

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'object' | 'string';

export interface InspectToolParts<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: S;
  /** Types of what an answer has, beside what every answer and every failure may have. */
  readonly output: Readonly<Record<string, JsonType | readonly JsonType[]>>;
  readonly run: (call: InspectCall, input: z.output<S>) => Promise<Record<string, unknown>>;
}

/** Whom a tool serves. */
export interface InspectSetting {
  readonly calls: DeskCalls;
  /** For all that one call asks of the desktop. */
  readonly timeoutMs: number;
  /** No structured content and no output schema. */
  readonly isTextOnly: boolean;
}

/** Nothing is required, so that a failure fits too: some clients check both. */
const COMMON: InspectToolParts<z.ZodObject>['output'] = {
  app: ['string', 'integer'],
  guidance: 'string',
  private_desktop: 'string',
  operation: 'string',
  error_type: 'string',
  message: 'string',
};

/** A tool of the dialect: checked input, one deadline, data as JSON text too, failures in the dialect's own shape. */
export function inspectTool<S extends z.ZodObject>(
  parts: InspectToolParts<S>,
  setting: InspectSetting,
): McpTool {
  const { name, title, description, parameters } = parts;
  const outputSchema = { type: 'object' as const, properties: typed({ ...COMMON, ...parts.output }) };
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: inputSchema(parameters),
      ...(setting.isTextOnly ? {} : { outputSchema }),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call: (input, voice) => answer(parts, setting, { input, voice }),
  };
}

async function answer<S extends z.ZodObject>(
  { name, title, parameters, run }: InspectToolParts<S>,
  { calls, timeoutMs, isTextOnly }: InspectSetting,
  { input, voice }: { readonly input: Readonly<Record<string, unknown>>; readonly voice: RequestVoice },
): Promise<CallToolResult> {
  const started = performance.now();
  const call = new InspectCall(calls, timeoutMs, voice.signal);
  const progress = new CallProgress(voice, title, timeoutMs);
  const log = (error?: DeskterityError) =>
    logCall(voice, {
      tool: name,
      session: calls.session,
      durationMs: Math.round(performance.now() - started),
      error,
    });
  try {
    const output = await run(call, readInput(parameters, input));
    log();
    const { privateDesktop } = call;
    const place = privateDesktop === undefined ? {} : { private_desktop: privateDesktop };
    return result({ ...place, ...output }, isTextOnly);
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    log(error);
    return { isError: true, ...result(failureOf(name, input['app'], timeoutMs, error), isTextOnly) };
  } finally {
    progress.end();
    call.close();
  }
}

/** One type in each place: some clients know no list of types. */
function typed(types: InspectToolParts<z.ZodObject>['output']) {
  return Object.fromEntries(
    Object.entries(types).map(([key, type]) => [
      key,
      typeof type === 'string' ? { type } : { anyOf: type.map((one) => ({ type: one })) },
    ]),
  );
}

function result(data: Record<string, unknown>, isTextOnly: boolean): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: stringifyVisibly(data) }];
  return isTextOnly ? { content } : { content, structuredContent: data };
}
