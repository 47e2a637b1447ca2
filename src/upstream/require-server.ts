import { DeskterityError } from '../model/effects/errors.ts';
import { mentionCommand } from '../model/text/mention.ts';
import { quote, quoteClipped } from '../model/text/untrusted-text.ts';
import { untrusted } from '../toolfiles/files/trust.ts';
import type { FoundServer, FoundServers } from './configuration/find-servers.ts';
import type { ServerTarget } from './configuration/server-target.ts';

/** A server that may be used, by its name. `what` is what somebody wants of it. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, TOOL_INVALID */
export function requireServer(
  { servers }: FoundServers,
  name: string,
  what: string,
): { readonly found: FoundServer; readonly target: ServerTarget } {
  const found = servers.findLast((one) => one.name === name);
  if (found === undefined)
    throw new DeskterityError('TOOL_NOT_FOUND', `There is no MCP server ${quoteClipped(name)}.`, {
      suggestion: `${mentionCommand('tools list')} lists the servers of mcp.json.`,
    });
  if (found.target !== undefined) return { found, target: found.target };
  if (found.state === 'untrusted') throw untrusted(what, found);
  throw new DeskterityError(
    found.state === 'invalid' ? 'TOOL_INVALID' : 'TOOL_NOT_FOUND',
    `The MCP server ${found.name} is ${found.state}: ${found.reason ?? 'unknown reason'}.`,
    { suggestion: `Change its entry in ${quote(found.path)}.` },
  );
}
