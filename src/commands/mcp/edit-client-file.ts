import { mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { lineDiff } from '../../model/text/line-diff.ts';
import type { McpClient } from '../../model/configuration/mcp-clients/clients.ts';
import { maskLine } from '../../model/configuration/mcp-clients/mask-line.ts';
import {
  showableTexts,
  startsDeskterity,
  type ServerEntry,
} from '../../model/configuration/mcp-clients/server-entry.ts';
import { isRecord } from '../../model/is-record.ts';
import { clip, quote, reveal } from '../../model/text/untrusted-text.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { ClientFile } from './client-file.ts';

const LONGEST_LINE = 400;
const CONTEXT_LINES = 2;
const BYTE_ORDER_MARK = '\uFEFF';

interface EditRequest {
  readonly file: ClientFile;
  readonly name: string;
  readonly entry: ServerEntry;
  readonly isRemoval: boolean;
}

/** The text to write, and the change to show; `undefined` if nothing would change. */
export async function editClientFile(
  ctx: CommandContext,
  client: McpClient,
  { file, name, entry, isRemoval }: EditRequest,
): Promise<{ readonly text: string; readonly diff: string } | undefined> {
  const documents = await ctx.documents();
  const mark = file.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const before = file.text.slice(mark.length);
  const document = { format: client.format, text: before, file: file.path };
  const { path, entry: present } = placeOf(documents, document, client, name);
  if (present !== undefined && !startsDeskterity(present))
    throw new DeskterityError(
      'CONFLICT',
      `The server ${quote(name)} of ${client.title} does not start Deskterity.`,
      {
        suggestion: `Nothing was changed. Give another ${mentionParameter('name')}, or edit ${reveal(file.path)} by hand.`,
      },
    );
  const after = isRemoval ? documents.remove(document, path) : documents.set(document, path, entry);
  if (after === before) return undefined;
  const shown = new Set([...showableTexts(present), ...Object.values(entry).flat().map(String)]);
  const show = (line: string) => cutLine(maskLine(line, shown), name);
  return { text: mark + after, diff: lineDiff(before, after, { context: CONTEXT_LINES, show }) };
}

/** Where the server is, or belongs, in the file: beside the other servers. */
function placeOf(
  documents: Awaited<ReturnType<CommandContext['documents']>>,
  document: Parameters<typeof documents.entry>[0],
  { key, nestedKey }: McpClient,
  name: string,
): { readonly path: readonly string[]; readonly entry: unknown } {
  const usual = [key, name];
  const known = documents.entry(document, usual);
  const nested = nestedKey === undefined ? undefined : documents.entry(document, [key, nestedKey]);
  // A server may have that name, too.
  const isTable = isRecord(nested) && !['type', 'command', 'url', 'enabled'].some((field) => field in nested);
  if (!isTable || nestedKey === undefined) return { path: usual, entry: known };
  const path = [key, nestedKey, name];
  const entry = documents.entry(document, path);
  // Both places may be in use; the client prefers the newer one.
  return entry === undefined && known !== undefined ? { path: usual, entry: known } : { path, entry };
}

/** A file may be one long line: keeps the part around the entry. */
function cutLine(line: string, name: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const start = Math.max(0, line.indexOf(`"${name}"`) - LONGEST_LINE / 4);
  return `${start === 0 ? '' : '…'}${clip(line.slice(start), LONGEST_LINE)}`;
}
