import type { z } from 'zod';
import { DeskterityError } from '../../../model/errors.ts';
import { stringifyVisibly } from '../../../model/untrusted-text.ts';
import type { McpTool } from '../../connection.ts';
import type { DeskCalls } from '../../desk-calls.ts';
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
  readonly timeoutMs: number;
  readonly run: (call: InspectCall, input: z.output<S>) => Promise<Record<string, unknown>>;
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
export function inspectTool<S extends z.ZodObject>(parts: InspectToolParts<S>, calls: DeskCalls): McpTool {
  const { name, title, description, parameters, timeoutMs, run } = parts;
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: inputSchema(parameters),
      outputSchema: { type: 'object', properties: typed({ ...COMMON, ...parts.output }) },
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call: async (input, { signal }) => {
      const call = new InspectCall(calls, timeoutMs, signal);
      try {
        const output = await run(call, readInput(parameters, input));
        const { privateDesktop } = call;
        return result(privateDesktop === undefined ? output : { private_desktop: privateDesktop, ...output });
      } catch (error) {
        if (!(error instanceof DeskterityError)) throw error;
        return { isError: true, ...result(failureOf(name, input['app'], timeoutMs, error)) };
      } finally {
        call.close();
      }
    },
  };
}

function typed(types: InspectToolParts<z.ZodObject>['output']) {
  return Object.fromEntries(
    Object.entries(types).map(([key, type]) => [key, { type: typeof type === 'string' ? type : [...type] }]),
  );
}

function result(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: stringifyVisibly(data) }], structuredContent: data };
}
