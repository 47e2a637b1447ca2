import { createHash } from 'node:crypto';
import { scopeNeeded, type JudgedConnection } from '../../access/scope-needed.ts';
import { covers } from '../../access/scopes.ts';
import type { AuthInfo } from '../../sdk.ts';
import { idOf, refuse } from '../answer.ts';
import { InvalidToken, SKEW_SECONDS, verifyToken, type VerifiedToken } from './access-token.ts';
import { insufficientScope, unauthorized } from './challenge.ts';
import { IssuerKeys, KeysUnavailable } from './issuer-keys.ts';
import type { OauthSettings } from './oauth-settings.ts';
import { metadataUrlOf, resourceMetadata } from './resource-metadata.ts';

/** What the token of one request permits, without the token. */
export interface Grant {
  /** Issuer, subject and client: operations, terminals, sessions, questions and tasks belong to it. */
  readonly owner: string;
  /** For the handlers of requests, through the protocol library. */
  readonly authInfo: AuthInfo;
  /** Milliseconds until the token is no longer accepted. */
  readonly remainingMs: number;
  /** The refusal of a request that needs a scope that is not granted; `undefined` if it is. */
  refusalFor(body: unknown, connection: JudgedConnection): Promise<Response | undefined>;
}

/** Judges the access tokens of requests. */
export interface OauthAccess {
  /** The answer to a request for the metadata of the resource; `undefined` for other paths. */
  metadata(target: string, method: string): Response | undefined;
  /** What the token permits, or the refusal. Never rejects. */
  admit(authorization: string | undefined): Promise<Grant | Response>;
}

export interface OauthAccessParts {
  readonly settings: OauthSettings & { readonly audience: string };
  readonly onError: (error: Error) => void;
}

export function oauthAccess({ settings, onError }: OauthAccessParts): OauthAccess {
  const { issuer, audience, scopes: required } = settings;
  const keys = new IssuerKeys(issuer);
  const metadataUrl = metadataUrlOf(audience);
  /** What a client should ask for at first. */
  const basic = required.some((scope) => covers([scope], 'read')) ? required : [...required, 'read'];
  return {
    metadata: (target, method) => resourceMetadata(target, method, settings),
    admit: async (authorization) => {
      const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) return unauthorized({ metadataUrl, scopes: basic }, undefined);
      try {
        const verified = await verifyToken(token, { issuer, audience, keys: keys.find });
        if (basic.every((scope) => covers(verified.scopes, scope)))
          return grantOf(verified, { issuer, metadataUrl, required });
        return insufficientScope({ metadataUrl, scopes: basic }, null);
      } catch (error) {
        if (error instanceof InvalidToken) return unauthorized({ metadataUrl, scopes: basic }, error.message);
        onError(error instanceof Error ? error : new Error(String(error)));
        return unjudged(error);
      }
    },
  };
}

function grantOf(
  { subject, clientId, scopes, expiresAt }: VerifiedToken,
  {
    issuer,
    metadataUrl,
    required,
  }: { readonly issuer: string; readonly metadataUrl: string; readonly required: readonly string[] },
): Grant {
  const owner = createHash('sha256')
    .update(JSON.stringify([issuer, subject, clientId]))
    .digest('hex');
  return {
    owner,
    authInfo: { token: '', clientId, scopes: [...scopes], expiresAt, extra: { sub: subject, owner } },
    remainingMs: Math.max(0, (expiresAt + SKEW_SECONDS) * 1000 - Date.now()),
    refusalFor: async (body, connection) => {
      const needed = await scopeNeeded(body, connection, owner);
      if (covers(scopes, needed)) return undefined;
      const others = required.filter((scope) => !covers([needed], scope));
      return insufficientScope({ metadataUrl, scopes: [...others, needed] }, idOf(body));
    },
  };
}

/** Not 401: a new token would not help. */
function unjudged(error: unknown): Response {
  const message =
    error instanceof KeysUnavailable
      ? 'The token cannot be checked, because the keys of the authorization server cannot be read. Try again later.'
      : 'The token cannot be checked. See the log of the server.';
  return refuse({ status: 503, message, headers: { 'Retry-After': '10' } });
}
