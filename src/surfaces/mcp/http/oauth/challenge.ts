import type { RequestId } from '../../connections/line-transport.ts';
import { refuse } from '../answer.ts';

export interface Challenge {
  /** Where the metadata of this resource is (RFC 9728). */
  readonly metadataUrl: string;
  /** All scopes that the request needs. */
  readonly scopes: readonly string[];
}

/** For a request without a token, or with one that is not valid. */
export function unauthorized({ metadataUrl, scopes }: Challenge, problem: string | undefined): Response {
  return refuse({
    status: 401,
    message:
      problem === undefined
        ? 'An access token is missing. Get one from the authorization server that WWW-Authenticate leads to.'
        : `${problem} Get a new one from the authorization server that WWW-Authenticate leads to.`,
    headers: header(problem === undefined ? {} : { error: 'invalid_token', error_description: problem }, {
      metadataUrl,
      scopes,
    }),
  });
}

/** For a valid token that permits less than the request needs: the client can ask its user for more. */
export function insufficientScope({ metadataUrl, scopes }: Challenge, id: RequestId | null): Response {
  const problem = `This needs the scope ${scopes.join(' ')}.`;
  return refuse({
    status: 403,
    message: `${problem} Get an access token with it, and repeat the request.`,
    id,
    data: { scope: scopes.join(' ') },
    headers: header({ error: 'insufficient_scope', error_description: problem }, { metadataUrl, scopes }),
  });
}

function header(problem: Readonly<Record<string, string>>, { metadataUrl, scopes }: Challenge) {
  const all = {
    realm: 'deskterity',
    ...problem,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    resource_metadata: metadataUrl,
  };
  const parts = Object.entries(all).map(
    ([name, value]) => `${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
}
