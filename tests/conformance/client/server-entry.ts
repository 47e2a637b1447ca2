import { z } from 'zod';

const Context = z.looseObject({ client_id: z.string().optional(), client_secret: z.string().optional() });

/** The entry of `mcp.json` for a server of the suite; a client that is registered beforehand comes in its variable. */
export function entryFor(
  url: string,
  { MCP_CONFORMANCE_CONTEXT: context }: NodeJS.ProcessEnv,
): Readonly<Record<string, unknown>> {
  const { client_id: id, client_secret: secret } = Context.parse(JSON.parse(context ?? '{}'));
  return {
    type: 'http',
    url,
    timeout_ms: 10_000,
    ...(id === undefined ? {} : { client_id: id }),
    ...(secret === undefined ? {} : { client_secret: secret }),
  };
}
