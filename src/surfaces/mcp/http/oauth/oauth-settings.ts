import { isIP } from 'node:net';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { isLoopbackAddress } from '../bind-address.ts';

/** The settings as the user wrote them; empty if not set. */
export interface OauthTexts {
  readonly issuer: string;
  readonly audience: string;
  readonly scopes: string;
}

/** Which access tokens the server accepts. */
export interface OauthSettings {
  /** Identifier of the authorization server. */
  readonly issuer: string;
  /** URL of the MCP endpoint as clients know it. Default: the address that is served. */
  readonly audience: string | undefined;
  /** Scopes that each token must have. */
  readonly scopes: readonly string[];
}

const MOST_SCOPES = 20;
/** RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/;

/** `undefined` if no authorization server is set. @throws DeskterityError INVALID_ARGUMENT */
export function oauthSettings({ issuer, audience, scopes }: OauthTexts): OauthSettings | undefined {
  if (issuer === '') return undefined;
  requireUrl('mcp.oauth_issuer', issuer);
  if (audience !== '') requireUrl('mcp.oauth_audience', audience);
  const all = [...new Set(scopes.split(/\s+/).filter((scope) => scope !== ''))];
  const bad = all.find((scope) => !SCOPE.test(scope));
  if (bad === undefined && all.length <= MOST_SCOPES)
    return { issuer, audience: audience === '' ? undefined : audience, scopes: all };
  throw invalid(
    'mcp.oauth_scopes',
    bad === undefined ? `names more than ${MOST_SCOPES} scopes` : 'contains a scope that is not valid',
    'Separate scopes by spaces, such as "read act".',
  );
}

/** Tokens and keys must not travel in the open. */
function requireUrl(key: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  if (url === undefined || !isSafe)
    throw invalid(key, 'is not a URL with https', 'Use https; http is only accepted for this machine.');
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw invalid(key, 'contains a query, a fragment or a user', 'Remove that part of the URL.');
}

export function isLoopbackName(hostname: string): boolean {
  const name = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
  return name === 'localhost' || (isIP(name) !== 0 && isLoopbackAddress(name));
}

function invalid(key: string, what: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `The setting ${key} ${what}.`, { suggestion });
}
