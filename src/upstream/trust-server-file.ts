import { join, resolve } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import { quote, reveal } from '../model/text/untrusted-text.ts';
import type { ServersPort } from '../ports/upstream/servers.ts';
import { readServerFile, type FindParts } from './configuration/find-servers.ts';
import { SERVER_FILE, type ServersCaller } from './upstream-parts.ts';

/** Allows a file of servers with its present content. @throws DeskterityError INVALID_ARGUMENT, TOOL_INVALID, CONFIG_INVALID */
export async function trustServerFile(
  file: string,
  of: Pick<ServersCaller, 'cwd' | 'trust'>,
  parts: Pick<FindParts, 'folders' | 'files'>,
): ReturnType<ServersPort['trust']> {
  const path = resolve(of.cwd, file);
  const read = await readServerFile(path, parts);
  if (read === undefined)
    throw new DeskterityError('INVALID_ARGUMENT', `${quote(path)} does not exist.`, {
      suggestion: `Pass the path of a file of MCP servers, such as ${join('.deskterity', SERVER_FILE)}.`,
    });
  if (read.sha256 === undefined || read.isInvalid)
    throw new DeskterityError('TOOL_INVALID', `${reveal(path)}: ${read.problems.join('; ')}.`, {
      suggestion: 'Correct it, then trust it.',
    });
  await of.trust.trust(read.path, read.sha256, new Date());
  return { path: read.path, servers: read.servers.map(({ name }) => name) };
}
