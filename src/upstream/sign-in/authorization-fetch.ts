import type { WebTarget } from '../configuration/server-target.ts';
import { boundedFetch } from '../connection/bounded-fetch.ts';
import type { FetchLike } from '../sdk.ts';

const LARGEST_ANSWER_BYTES = 1024 * 1024;
const ANSWER_MS = 10_000;

/** `fetch` for requests to the authorization server of an MCP server. */
export function authorizationFetch({ url }: Pick<WebTarget, 'url'>): FetchLike {
  const isRemote = new URL(url).protocol === 'https:';
  return boundedFetch({ mostBytes: LARGEST_ANSWER_BYTES, timeoutMs: ANSWER_MS, isRemote });
}
