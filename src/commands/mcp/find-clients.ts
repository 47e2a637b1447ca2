import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { MCP_CLIENT_NAMES, MCP_CLIENTS } from '../../model/configuration/mcp-clients/clients.ts';
import type { McpClient } from '../../model/configuration/mcp-clients/clients.ts';
import { PROGRAM_NAMES } from '../../model/configuration/mcp-clients/command-line.ts';
import type { FoundProgram } from '../../model/configuration/mcp-clients/command-line.ts';
import { tracesOf } from '../../model/configuration/mcp-clients/resolve-place.ts';
import type { PlaceOwner } from '../../model/configuration/mcp-clients/resolve-place.ts';
import type { CommandContext } from '../../registry/define.ts';

/** The one client that is installed here. @throws DeskterityError INVALID_ARGUMENT for none and for several */
export async function onlyClient(ctx: CommandContext, owner: PlaceOwner): Promise<McpClient> {
  const found: { client: McpClient; trace: string }[] = [];
  for (const client of MCP_CLIENTS) {
    for (const trace of tracesOf(client, owner)) {
      if ((await ctx.files.find(trace).catch(() => undefined)) === undefined) continue;
      found.push({ client, trace });
      break;
    }
  }
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first.client;
  const message =
    first === undefined
      ? `No supported client was found on this machine; supported are: ${MCP_CLIENT_NAMES.join(', ')}.`
      : `Several clients were found: ${found.map(({ client }) => client.name).join(', ')}.`;
  throw new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: `Name one, as in ${mentionCommand('mcp install', { client: (first?.client ?? MCP_CLIENTS[0]).name })}.`,
    candidates: found.map(({ client, trace }) => ({ name: client.name, detail: trace })),
  });
}

/** The installed programs of this project that a client would find. */
export async function programsOnPath({
  files,
  environment,
  system,
}: CommandContext): Promise<FoundProgram[]> {
  if (system.platform === 'win32') return [];
  const found: FoundProgram[] = [];
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const name of PROGRAM_NAMES) {
    for (const folder of folders) {
      const facts = await files.find(`${folder}/${name}`).catch(() => undefined);
      if (facts?.kind !== 'file') continue;
      found.push({ name, folder, file: facts.path });
      break;
    }
  }
  return found;
}
