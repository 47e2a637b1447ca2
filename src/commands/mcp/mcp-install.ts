import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { resolve } from 'node:path';
import { z } from 'zod';
import { callersFolder } from '../../model/configuration/callers-folder.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { lineDiff } from '../../model/text/line-diff.ts';
import { MCP_CLIENT_NAMES, MCP_CLIENTS, mcpClient } from '../../model/configuration/mcp-clients/clients.ts';
import type { ClientScope, McpClient } from '../../model/configuration/mcp-clients/clients.ts';
import { PROGRAM_NAMES, startLine } from '../../model/configuration/mcp-clients/command-line.ts';
import type { FoundProgram } from '../../model/configuration/mcp-clients/command-line.ts';
import { maskLine } from '../../model/configuration/mcp-clients/mask-line.ts';
import { clientFiles, tracesOf } from '../../model/configuration/mcp-clients/resolve-place.ts';
import type { PlaceOwner } from '../../model/configuration/mcp-clients/resolve-place.ts';
import {
  ServerEntry,
  serverEntry,
  showableTexts,
  startsDeskterity,
} from '../../model/configuration/mcp-clients/server-entry.ts';
import { isRecord } from '../../model/is-record.ts';
import { quote, clip, reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, flag, timeName, excludes, type CommandContext } from '../../registry/define.ts';
import { offerParameters } from './mcp.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;
const LONGEST_LINE = 400;
const CONTEXT_LINES = 2;
/** How often to start again when the client changes its file meanwhile. */
const MOST_ATTEMPTS = 3;
const BYTE_ORDER_MARK = '\uFEFF';

const listed = MCP_CLIENT_NAMES.join(', ');

type OfferInput = z.output<z.ZodObject<typeof offerParameters>>;

export default defineCommand({
  name: ['mcp', 'install'],
  group: 'mcp',
  kind: 'admin',
  idempotent: true,
  surfaces: ['cli'],
  summary: 'Register Deskterity as an MCP server in the configuration of an AI client.',
  description:
    `Clients: ${listed}. Shows the change, backs the file up in the same folder and replaces it atomically; everything else in it, including comments and order, stays as it is. ` +
    `Values that belong to other programs are masked in the output. ${mentionParameter('dry_run')} only shows the change, ${mentionParameter('print')} prints what to add by hand, ${mentionParameter('remove')} removes the server. Works without a desktop.`,
  input: z
    .object({
      client: z
        .enum(MCP_CLIENT_NAMES)
        .optional()
        .describe('The client; required unless exactly one is found on this machine.'),
      scope: z
        .enum(['user', 'project'])
        .default('user')
        .describe('The user’s configuration file, or that of the project in the current folder.'),
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
        .default('deskterity')
        .describe('Name of the server entry: up to 64 letters, digits, dashes and underscores.'),
      ...offerParameters,
      structured: offerParameters.structured.describe(
        'Answer with data and a short text beside it (always), or with everything as text (never). Default: what suits the client.',
      ),
      absolute: flag('Write absolute paths of Node and the program, for clients that do not find "desk".'),
      remove: flag('Remove the server.'),
      dry_run: flag('Show the change and write nothing.'),
      print: flag('Print the configuration snippet and change no file.'),
    })
    .refine(...excludes('print', 'remove', 'dry_run'))
    .refine(...excludes('text_only', 'structured')),
  output: z.object({
    client: z.enum(MCP_CLIENT_NAMES),
    file: z
      .string()
      .optional()
      .describe(`The configuration file, with links resolved; absent with ${mentionParameter('print')}.`),
    changed: z
      .boolean()
      .describe(`Whether the file was changed, or would be with ${mentionParameter('dry_run')}.`),
    dry_run: z.boolean(),
    backup: z.string().optional().describe('Copy of the original file.'),
    diff: z.string().describe('The change as a unified diff; values of other programs are masked.'),
    entry: ServerEntry.describe('The entry under the server’s name, added or removed.'),
    snippet: z
      .string()
      .optional()
      .describe(`With ${mentionParameter('print')}: the text to add to the configuration file.`),
    note: z.string().optional().describe('What may prevent the client from starting it, or its session.'),
    next: z.string(),
  }),
  examples: [
    { about: 'Make Claude Code start Deskterity', input: { client: 'claude-code' } },
    { about: 'See what would change for Cursor', input: { client: 'cursor', dry_run: true }, format: 'text' },
    {
      about: 'Share it with a project, read-only',
      input: { client: 'vscode', scope: 'project', read_only: true },
    },
    { about: 'Remove it', input: { client: 'codex', remove: true } },
    { about: 'Print what to add by hand', input: { client: 'zed', print: true }, format: 'text' },
  ],
  outline: ({ client, file, changed, dry_run, backup, diff, snippet, note, next }) => {
    if (snippet !== undefined) return snippet;
    const what = !changed ? 'nothing to change in' : dry_run ? 'would change' : 'changed';
    const lines = [`${client}: ${what} ${reveal(file ?? '')}`, diff, backup && `backup: ${reveal(backup)}`];
    lines.push(note && `note: ${note}`, changed && !dry_run ? next : undefined);
    return lines.filter((line) => line !== undefined && line !== '').join('\n');
  },
  run: async (ctx, input) => {
    const owner: PlaceOwner = {
      environment: ctx.environment,
      platform: ctx.system.platform,
      projectFolder: () => callersFolder(ctx.cwd),
    };
    const client = input.client === undefined ? await onlyClient(ctx, owner) : mcpClient(input.client);
    const args = serverArguments(ctx, client, input);
    const sessionNote = input.remove ? undefined : await noteOnSession(ctx);
    const { platform, program } = ctx.system;
    const found = await programsOnPath(ctx);
    const { note, ...line } = startLine({
      client,
      platform,
      program,
      found,
      isAbsolute: input.absolute,
      isShared: input.scope === 'project',
      args,
    });
    const entry = serverEntry(client, line, ctx.system.desktopVariables);
    const answer = { client: z.enum(MCP_CLIENT_NAMES).parse(client.name), dry_run: input.dry_run, entry };
    const remarks = input.remove ? [] : [note, sessionNote].filter((one) => one !== undefined);
    const notes = remarks.length === 0 ? {} : { note: remarks.join(' ') };
    const next = input.remove ? `Restart ${client.title}.` : client.next;
    if (input.print) {
      const documents = await ctx.documents();
      const path = [client.key, input.name];
      const snippet = documents.set({ format: client.format, text: '', file: client.title }, path, entry);
      return { ...answer, changed: false, diff: '', snippet, ...notes, next };
    }

    for (let attempt = 1; ; attempt += 1) {
      const file = await readClientFile(ctx, client, input.scope, owner);
      const edited = await edit(ctx, client, { file, name: input.name, entry, isRemoval: input.remove });
      const result = { ...answer, file: file.path, changed: edited !== undefined };
      if (edited === undefined) return { ...result, diff: '', ...notes, next };
      const diff = { diff: edited.diff };
      if (input.dry_run) return { ...result, ...diff, ...notes, next };
      const backup = file.bytes === undefined ? undefined : await backUp(ctx, file.path, file.bytes);
      if (!(await isUnchanged(ctx, file))) {
        if (attempt < MOST_ATTEMPTS) continue;
        throw new DeskterityError('CONFLICT', `${reveal(file.path)} is being written by another program.`, {
          suggestion: `Quit ${client.title} and try again.`,
          retryable: true,
        });
      }
      const mode = input.scope === 'user' ? 0o600 : 0o666;
      await ctx.files.writeAtomic(
        file.path,
        edited.text,
        backup === undefined ? { mode } : { like: file.path },
      );
      return { ...result, ...(backup === undefined ? {} : { backup }), ...diff, ...notes, next };
    }
  },
});

/** Everything that the caller asked of the server, as the client will start it: from another folder, and with another environment. */
function serverArguments(
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

/** The first use creates a session, so a misspelt name silently gets a new one on the user's own desktop. */
async function noteOnSession({ session, sessions }: CommandContext): Promise<string | undefined> {
  if (session === 'default') return undefined;
  const problem: unknown = await sessions.info(session).catch((error: unknown) => error);
  const isNew = problem instanceof DeskterityError && problem.code === 'SESSION_NOT_FOUND';
  return isNew ? `${problem.message} ${problem.suggestion}` : undefined;
}

interface ClientFile {
  readonly path: string;
  /** Absent where there is no such file yet. */
  readonly bytes: Uint8Array | undefined;
  readonly text: string;
}

/** The one client that is installed here. @throws DeskterityError INVALID_ARGUMENT for none and for several */
async function onlyClient(ctx: CommandContext, owner: PlaceOwner): Promise<McpClient> {
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
      ? `No supported client was found on this machine; supported are: ${listed}.`
      : `Several clients were found: ${found.map(({ client }) => client.name).join(', ')}.`;
  throw new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: `Name one, as in ${mentionCommand('mcp install', { client: (first?.client ?? MCP_CLIENTS[0]).name })}.`,
    candidates: found.map(({ client, trace }) => ({ name: client.name, detail: trace })),
  });
}

async function programsOnPath({ files, environment, system }: CommandContext): Promise<FoundProgram[]> {
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

/** @throws DeskterityError CONFIG_INVALID unless it is a writable text file */
async function readClientFile(
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

interface EditRequest {
  readonly file: ClientFile;
  readonly name: string;
  readonly entry: ServerEntry;
  readonly isRemoval: boolean;
}

/** The text to write, and the change to show; `undefined` if nothing would change. */
async function edit(
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

async function backUp({ files, calledAt }: CommandContext, path: string, bytes: Uint8Array): Promise<string> {
  const backup = `${path}.deskterity-backup-${timeName(calledAt)}`;
  await files.writeAtomic(backup, bytes, { like: path });
  return backup;
}

/** Whether the file still has the content that was read: some clients rewrite theirs all the time. */
async function isUnchanged({ files }: CommandContext, { path, bytes }: ClientFile): Promise<boolean> {
  const now = await files.read(path);
  return now === undefined ? bytes === undefined : bytes !== undefined && Buffer.compare(now, bytes) === 0;
}

function unusable(path: string, reason: string): DeskterityError {
  return new DeskterityError('CONFIG_INVALID', `${reveal(path)} ${reason}.`, {
    suggestion: `Nothing was changed. Correct that and try again, or use ${mentionParameter('print')} and add the server by hand.`,
  });
}
