import { mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { ClientScope, McpClient } from '../../model/configuration/mcp-clients/clients.ts';
import { clientFiles } from '../../model/configuration/mcp-clients/resolve-place.ts';
import type { PlaceOwner } from '../../model/configuration/mcp-clients/resolve-place.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { timeName, type CommandContext } from '../../registry/define.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;

export interface ClientFile {
  readonly path: string;
  /** Absent where there is no such file yet. */
  readonly bytes: Uint8Array | undefined;
  readonly text: string;
}

/** @throws DeskterityError CONFIG_INVALID unless it is a writable text file */
export async function readClientFile(
  ctx: CommandContext,
  client: McpClient,
  scope: ClientScope,
  owner: PlaceOwner,
): Promise<ClientFile> {
  const paths = clientFiles(client, scope, owner);
  for (const path of paths) {
    const facts = await ctx.files.find(path);
    if (facts === undefined) continue;
    if (facts.kind === 'lost')
      throw unusable(path, `is a link to ${reveal(facts.path)}, which does not exist`);
    if (facts.kind !== 'file')
      throw unusable(path, facts.kind === 'folder' ? 'is a folder' : 'is not a regular file');
    if (!facts.isWritable) throw unusable(facts.path, 'or its folder is not writable');
    if (facts.bytes > LARGEST_BYTES) throw unusable(path, 'is larger than 64 MiB');
    const bytes = await ctx.files.read(facts.path);
    if (bytes === undefined) continue;
    return { path: facts.path, bytes, text: decode(path, bytes) };
  }
  return { path: paths[0] ?? '', bytes: undefined, text: '' };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unusable(path, 'is not UTF-8');
  }
}

export async function backUp(
  { files, calledAt }: CommandContext,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const backup = `${path}.deskterity-backup-${timeName(calledAt)}`;
  await files.writeAtomic(backup, bytes, { like: path });
  return backup;
}

/** Whether the file still has the content that was read: some clients rewrite theirs all the time. */
export async function isUnchanged({ files }: CommandContext, { path, bytes }: ClientFile): Promise<boolean> {
  const now = await files.read(path);
  return now === undefined ? bytes === undefined : bytes !== undefined && Buffer.compare(now, bytes) === 0;
}

function unusable(path: string, reason: string): DeskterityError {
  return new DeskterityError('CONFIG_INVALID', `${reveal(path)} ${reason}.`, {
    suggestion: `Nothing was changed. Correct that and try again, or use ${mentionParameter('print')} and add the server by hand.`,
  });
}
