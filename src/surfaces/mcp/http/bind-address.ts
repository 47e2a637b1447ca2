import { lookup } from 'node:dns/promises';
import net, { isIP } from 'node:net';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { mentionParameter } from '../../../model/text/mention.ts';

export interface BindAddress {
  /** Address of the interface to listen on. */
  readonly address: string;
  readonly isLoopback: boolean;
}

const LOOPBACK = new net.BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Resolves an address to listen on. Addresses that other machines can reach need a token.
 * @throws DeskterityError INVALID_ARGUMENT, UNAUTHORIZED
 */
export async function bindAddress(
  bind: string,
  token: string | undefined,
  { hasIssuer = false }: { readonly hasIssuer?: boolean } = {},
): Promise<BindAddress> {
  if (token !== undefined && !/^[\x21-\x7E]+$/.test(token)) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      'The token is empty or contains characters that are not allowed in a header.',
      {
        suggestion: 'Use a long random token of letters and digits.',
      },
    );
  }
  const address = await addressOf(bind);
  const isLoopback = isLoopbackAddress(address);
  if (isLoopback || token !== undefined || hasIssuer) return { address, isLoopback };
  throw new DeskterityError('UNAUTHORIZED', `Other machines can reach ${bind}, but no token is set.`, {
    suggestion: `Set a bearer token in DESKTERITY_HTTP_TOKEN or with ${mentionParameter('token_file', undefined, 'mcp')}, set an authorization server (mcp.oauth_issuer), or use ${mentionParameter('bind', '127.0.0.1', 'mcp')}.`,
  });
}

async function addressOf(bind: string): Promise<string> {
  const name = /^\[(.*)\]$/.exec(bind)?.[1] ?? bind;
  if (isIP(name) !== 0) return name;
  try {
    if (/^[\w.-]+$/.test(name)) return (await lookup(name)).address;
  } catch (error) {
    throw unknown(bind, error);
  }
  throw unknown(bind);
}

function unknown(bind: string, cause?: unknown): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${JSON.stringify(bind)} is not an address to listen on.`, {
    suggestion: 'Use 127.0.0.1, ::1, or another address of this machine.',
    cause,
  });
}
