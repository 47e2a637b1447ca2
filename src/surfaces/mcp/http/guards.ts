import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '../sdk.ts';
import { refuse } from './answer.ts';
import type { BindAddress } from './bind-address.ts';

export interface GuardParts {
  /** As given by the user. */
  readonly bind: string;
  readonly at: BindAddress;
  readonly token: string | undefined;
  /** Other names under which clients know this server. */
  readonly names?: readonly string[] | undefined;
}

/** Returns a refusal for a request that must not be served. */
export type Guard = (request: Pick<IncomingMessage, 'headers'>) => Response | undefined;

/**
 * A web page can make a browser send requests to this machine, even under a name of its own (DNS rebinding). Such a
 * request is recognizable by its Host, Origin or Sec-Fetch-Site header; programs send only the first.
 */
export function createGuard({ bind, at, token, names: others = [] }: GuardParts): Guard {
  const names = new Set([
    ...localhostAllowedHostnames(),
    inUrl(at.address),
    inUrl(bind.toLowerCase()),
    ...others,
  ]);
  const isAllowed = (name: string): boolean =>
    names.has(name) || (!at.isLoopback && ownNames().includes(name));
  return ({ headers }) => {
    const host = validateHostHeader(headers.host, allow(headers.host && `http://${headers.host}`, isAllowed));
    if (!host.ok) return forbid(`${host.message}.`, [...names]);
    const origin = validateOriginHeader(headers.origin, allow(headers.origin, isAllowed));
    if (!origin.ok) return forbid(`${origin.message}.`, [...names]);
    if (headers['sec-fetch-site'] === 'cross-site')
      return forbid('The request comes from another site.', [...names]);
    return token === undefined ? undefined : checkToken(headers.authorization, token);
  };
}

/** The library's checks take a list of names. */
function allow(url: string | undefined, isAllowed: (name: string) => boolean): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const name = new URL(url).hostname;
  return isAllowed(name) ? [name] : [];
}

/** Read for each request, because a machine's addresses change. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => inUrl(address))];
}

function inUrl(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name;
}

function forbid(what: string, names: readonly string[]): Response {
  return refuse({ status: 403, message: `${what} Use one of these host names: ${names.join(', ')}.` });
}

function checkToken(header: string | undefined, token: string): Response | undefined {
  const given = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return undefined;
  const challenge = given === undefined ? '' : ', error="invalid_token"';
  return refuse({
    status: 401,
    message:
      'The bearer token is missing or wrong. Send "Authorization: Bearer TOKEN" with the token that the server was started with.',
    headers: { 'WWW-Authenticate': `Bearer realm="deskterity"${challenge}` },
  });
}

/** Of equal length, so that the comparison time reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
