import { DeskterityError } from '../../../model/effects/errors.ts';
import { mentionParameter } from '../../../model/text/mention.ts';

/** @throws DeskterityError INVALID_ARGUMENT if clients would have to show two things */
export function requireOneScheme({
  oauth,
  token,
  isSseServed,
}: {
  readonly oauth?: unknown;
  readonly token: string | undefined;
  readonly isSseServed: boolean;
}): void {
  if (oauth === undefined || (token === undefined && !isSseServed)) return;
  const other = token === undefined ? mentionParameter('sse', undefined, 'mcp') : 'a bearer token of its own';
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `An authorization server is set (mcp.oauth_issuer), and also ${other}.`,
    {
      suggestion: 'Use only one of them.',
    },
  );
}

export function noAudience(): DeskterityError {
  return new DeskterityError(
    'INVALID_ARGUMENT',
    'The URL under which other machines reach this server is not set.',
    {
      suggestion:
        'Set mcp.oauth_audience to it, such as https://desk.example.com/mcp: access tokens must be meant for it.',
    },
  );
}

export function badPort(port: number): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${port} is not a valid port.`, {
    suggestion: 'Use a number from 1 to 65535, or 0 for any free port.',
  });
}

export function notListening(error: NodeJS.ErrnoException, address: string, port: number): DeskterityError {
  const platformDetail = error.code ?? error.message;
  if (error.code === 'EADDRINUSE') {
    return new DeskterityError('CONFLICT', `Port ${port} of ${address} is already in use.`, {
      suggestion: `Choose another ${mentionParameter('port', undefined, 'mcp')}, or end the program that uses it.`,
      platformDetail,
      cause: error,
    });
  }
  return new DeskterityError('INVALID_ARGUMENT', `Cannot listen on port ${port} of ${address}.`, {
    suggestion: 'Use an address of this machine and a port above 1023.',
    platformDetail,
    cause: error,
  });
}
