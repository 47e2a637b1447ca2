import { z } from 'zod';

const Context = z.looseObject({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z
    .array(z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .default([]),
});

/** What the suite tells a client in variables, besides the address of the server. */
export interface SuiteRequest {
  readonly scenario: string;
  /** Registered beforehand. */
  readonly client: { readonly id: string | undefined; readonly secret: string | undefined };
  /** To be made; without any, each tool is called once. */
  readonly calls: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
}

export function readSuiteRequest(environment: NodeJS.ProcessEnv): SuiteRequest {
  const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = environment;
  const { client_id: id, client_secret: secret, toolCalls } = Context.parse(JSON.parse(context));
  return {
    scenario,
    client: { id, secret },
    // Some are null, for a parameter of another type: our client refuses that, and leaves them out.
    calls: toolCalls.map(({ name, arguments: input }) => ({
      tool: name,
      input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
    })),
  };
}
