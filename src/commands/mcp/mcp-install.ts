import { isReservedName, RESERVED_NAME } from '../../model/text/reserved-name.ts';
import { z } from 'zod';
import { callersFolder } from '../../model/configuration/callers-folder.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { MCP_CLIENT_NAMES, mcpClient } from '../../model/configuration/mcp-clients/clients.ts';
import { startLine } from '../../model/configuration/mcp-clients/command-line.ts';
import type { PlaceOwner } from '../../model/configuration/mcp-clients/resolve-place.ts';
import { ServerEntry, serverEntry } from '../../model/configuration/mcp-clients/server-entry.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, excludes, flag, type CommandContext } from '../../registry/define.ts';
import { backUp, isUnchanged, readClientFile } from './client-file.ts';
import { editClientFile } from './edit-client-file.ts';
import { onlyClient, programsOnPath } from './find-clients.ts';
import { offerParameters } from './mcp.ts';
import { serverArguments } from './server-arguments.ts';

/** How often to start again when the client changes its file meanwhile. */
const MOST_ATTEMPTS = 3;

const listed = MCP_CLIENT_NAMES.join(', ');

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
        .refine((name) => !isReservedName(name), { error: RESERVED_NAME })
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
      const edited = await editClientFile(ctx, client, {
        file,
        name: input.name,
        entry,
        isRemoval: input.remove,
      });
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

async function noteOnSession({ session, sessions }: CommandContext): Promise<string | undefined> {
  if (session === 'default') return undefined;
  const problem: unknown = await sessions.info(session).catch((error: unknown) => error);
  const isNew = problem instanceof DeskterityError && problem.code === 'SESSION_NOT_FOUND';
  return isNew ? `${problem.message} ${problem.suggestion}` : undefined;
}
