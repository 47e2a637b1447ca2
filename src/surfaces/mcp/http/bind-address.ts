import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { DeskterityError } from '../../../model/effects/errors.ts';

export interface BindAddress {
  /** Of the interface to listen on. */
  readonly address: string;
  readonly isLoopback: boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * The address that a name stands for. What others than this machine can reach needs a token.
 * @throws DeskterityError INVALID_ARGUMENT, UNAUTHORIZED
 */
export async function bindAddress(bind: string, token: string | undefined): Promise<BindAddress> {
  if (token !== undefined && !/^[\x21-\x7E]+$/.test(token)) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      'The token is empty or has characters that a header cannot carry.',
      {
        suggestion: 'Give a long random token of letters and digits.',
      },
    );
  }
  const address = await addressOf(bind);
  const isLoopback = LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  if (isLoopback || token !== undefined) return { address, isLoopback };
  throw new DeskterityError(
    'UNAUTHORIZED',
    `Others than this machine can reach ${bind}, and no token is set.`,
    {
      suggestion:
        'Set a bearer token that clients must send, in DESKTERITY_HTTP_TOKEN or with --token-file; or bind to 127.0.0.1.',
    },
  );
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
  return new DeskterityError('INVALID_ARGUMENT', `${JSON.stringify(bind)} is no address to listen on.`, {
    suggestion: 'Bind to 127.0.0.1, to ::1, or to an address of this machine.',
    cause,
  });
}
