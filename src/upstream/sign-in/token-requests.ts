import { clip, reveal } from '../../model/text/untrusted-text.ts';
import { isRecord } from '../../model/is-record.ts';
import type { WebTarget } from '../configuration/server-target.ts';
import type { FetchLike } from '../sdk.ts';
import { authorizationFetch } from './authorization-fetch.ts';

/** `refused`: another attempt with the same code or token is in vain. */
export type TokenProblem = { readonly kind: 'refused' | 'unavailable'; readonly words: string };

const REFUSALS = new Set([400, 401, 403]);

/** Requests to an authorization server, and why the last one for a token failed: the protocol library forgets that, or quotes whole pages. */
export class TokenRequests {
  /** As a phrase; present since a request for a token failed. */
  problem: TokenProblem | undefined;
  private readonly send: FetchLike;

  constructor(target: Pick<WebTarget, 'url'>) {
    this.send = authorizationFetch(target);
  }

  readonly fetch: FetchLike = async (address, init) => {
    const isForToken = init?.body instanceof URLSearchParams && init.body.has('grant_type');
    if (!isForToken) return this.send(address, init);
    this.problem = undefined;
    let response: Response;
    try {
      // Another place must get neither the code nor the token.
      response = await this.send(address, { ...init, redirect: 'manual' });
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      this.problem = {
        kind: 'unavailable',
        words: `the authorization server ${isLate ? 'did not answer in time' : 'could not be reached'}`,
      };
      throw error;
    }
    const body = await response.text();
    this.problem = problemOf(response.status, body);
    const { status, headers } = response;
    return new Response(body, { status, headers });
  };
}

function problemOf(status: number, body: string): TokenProblem | undefined {
  const data = parsed(body);
  if (status >= 300 && status < 400)
    return { kind: 'unavailable', words: 'the authorization server redirected the request for a token' };
  if (status >= 400) {
    const [problem, detail] = [data?.['error'], data?.['error_description']];
    const said = typeof problem === 'string' ? `: ${problem}` : '';
    const more = said !== '' && typeof detail === 'string' ? ` (${detail})` : '';
    return {
      kind: REFUSALS.has(status) ? 'refused' : 'unavailable',
      words: reveal(
        clip(
          `the authorization server answered the request for a token with HTTP ${status}${said}${more}`,
          300,
        ),
      ),
    };
  }
  return typeof data?.['access_token'] === 'string'
    ? undefined
    : { kind: 'unavailable', words: 'the authorization server answered without a token' };
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const data: unknown = JSON.parse(body);
    return isRecord(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
