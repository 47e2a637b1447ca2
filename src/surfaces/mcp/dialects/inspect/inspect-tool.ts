import type { z } from 'zod';
import { stringifyVisibly } from '../../../../model/text/untrusted-text.ts';
import { briefText } from '../../tools/brief-text.ts';
import { reportedCall } from '../../tools/reported-call.ts';
import type { McpTool, RequestChannel } from '../../connections/connection.ts';
import type { ClientCalls } from '../../tools/client-calls.ts';
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
  /** Types of the answer's fields, besides the common ones. */
  readonly output: Readonly<Record<string, JsonType | readonly JsonType[]>>;
  readonly run: (
    call: InspectCall,
    input: z.output<S>,
  ) => Promise<Record<string, unknown> & { readonly guidance?: readonly string[] }>;
}

/** The setting in which a tool runs. */
export interface InspectSetting {
  readonly calls: ClientCalls;
  /** For all commands of one call. */
  readonly timeoutMs: number;
  /** No structured content and no output schema. */
  readonly isTextOnly: boolean;
}

/** Nothing is required, because some clients also validate failures against the schema. */
const COMMON: InspectToolParts<z.ZodObject>['output'] = {
  app: ['string', 'integer'],
  guidance: 'string',
  private_desktop: 'string',
  operation: 'string',
  error_type: 'string',
  message: 'string',
};

/** A tool of the dialect: validated input, one deadline, data as JSON text or structured content, failures in the dialect's form. */
export function inspectTool<S extends z.ZodObject>(
  parts: InspectToolParts<S>,
): (setting: InspectSetting) => McpTool {
  const { name, title, description, parameters } = parts;
  const outputSchema = { type: 'object' as const, properties: typed({ ...COMMON, ...parts.output }) };
  return (setting) => ({
    definition: {
      name,
      title,
      description,
      inputSchema: inputSchema(parameters),
      ...(setting.isTextOnly ? {} : { outputSchema }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    scope: 'read',
    call: (input, channel) => answer(parts, setting, { input, channel }),
  });
}

async function answer<S extends z.ZodObject>(
  { name, title, parameters, run }: InspectToolParts<S>,
  { calls, timeoutMs, isTextOnly }: InspectSetting,
  { input, channel }: { readonly input: Readonly<Record<string, unknown>>; readonly channel: RequestChannel },
): Promise<CallToolResult> {
  const call = new InspectCall(calls, timeoutMs, channel.signal);
  return reportedCall({
    channel,
    title,
    deadlineMs: timeoutMs,
    report: { tool: name, session: calls.session },
    run: async () => {
      const { guidance, ...output } = await run(call, readInput(parameters, input));
      const { privateDesktop } = call;
      const place = privateDesktop === undefined ? {} : { private_desktop: privateDesktop };
      const advice = guidance === undefined || guidance.length === 0 ? {} : { guidance: guidance.join(' ') };
      return result({ ...place, ...output, ...advice }, isTextOnly);
    },
    failed: (error) => {
      const data = failureOf(name, input['app'], timeoutMs, error);
      // Some clients show only the text of a failure.
      return { ...result(data, isTextOnly), isError: true, ...result(data, true) };
    },
  }).finally(() => call.close());
}

/** `anyOf` instead of a list of types, which some clients do not support. */
function typed(types: InspectToolParts<z.ZodObject>['output']) {
  return Object.fromEntries(
    Object.entries(types).map(([key, type]) => [
      key,
      typeof type === 'string' ? { type } : { anyOf: type.map((one) => ({ type: one })) },
    ]),
  );
}

function result(data: Record<string, unknown>, isTextOnly: boolean): CallToolResult {
  const text = stringifyVisibly(data);
  const content = (shown: string): CallToolResult['content'] => [{ type: 'text', text: shown }];
  if (isTextOnly) return { content: content(text) };
  return { content: content(briefText(text)), structuredContent: data };
}
