import { resolve } from 'node:path';
import type { z } from 'zod';
import { callersFolder } from '../../model/configuration/callers-folder.ts';
import type { McpClient } from '../../model/configuration/mcp-clients/clients.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { offerParameters } from './mcp.ts';

type OfferInput = z.output<z.ZodObject<typeof offerParameters>>;

/** Everything that the caller asked of the server, as the client will start it: from another folder, and with another environment. */
export function serverArguments(
  { session, configuration, cwd }: CommandContext,
  client: McpClient,
  { toolsets, read_only: isReadOnly, structured, text_only: isTextOnly }: OfferInput,
): readonly string[] {
  const args = ['mcp', '--structured', isTextOnly ? 'never' : (structured ?? client.structured)];
  if (toolsets !== undefined) args.push('--toolsets', toolsets.join(','));
  if (isReadOnly) args.push('--read-only');
  // A client installed for a named session must not fall back to the user's desktop.
  if (session !== 'default') args.push('--session', session);
  const given = new Map(
    configuration.entries
      .filter(({ source }) => source === 'flag' || source === 'environment')
      .map(({ key, value }) => [key, value]),
  );
  for (const [key, flag] of FOLDERS) {
    const folder = given.get(key);
    if (typeof folder === 'string' && folder !== '') args.push(flag, resolve(callersFolder(cwd), folder));
  }
  if (given.get('sandbox.mode') === 'off') args.push('--no-sandbox');
  if (given.get('operations.synchronous') === true) args.push('--sync');
  return args;
}

const FOLDERS = [
  ['sandbox.scope', '--sandbox-scope'],
  ['tools.folder', '--tools-dir'],
] as const;
