import type { SuiteRequest } from './suite-request.ts';

/** The suite demands it where a client can be known by a document at an address; the user of Deskterity who has one names it as `client_id`. */
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json';

/** The entry of `mcp.json` for a server of the suite. */
export function entryFor(
  url: string,
  { scenario, client }: Pick<SuiteRequest, 'scenario' | 'client'>,
): Readonly<Record<string, unknown>> {
  const id = scenario === 'auth/basic-cimd' ? CLIENT_DOCUMENT : client.id;
  return {
    type: 'http',
    url,
    timeout_ms: 10_000,
    ...(id === undefined ? {} : { client_id: id }),
    ...(client.secret === undefined ? {} : { client_secret: client.secret }),
  };
}
