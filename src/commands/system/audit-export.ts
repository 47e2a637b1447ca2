import { resolve } from 'node:path';
import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { defineCommand } from '../../registry/define.ts';
import { auditLog, momentOf, SinceInput } from './audit-parts.ts';

/** Entries are kept in memory until all are there. */
const MOST_BYTES = 256 * 1024 * 1024;

export default defineCommand({
  name: ['audit', 'export'],
  group: 'system',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  title: 'Export the audit log',
  summary: 'Write the entries of the audit log to one file of JSON lines.',
  description:
    'Each line is exactly as it is in the log, so that its hash can be checked: it is the SHA-256 of the line without its last member. Broken entries are left out. The file can be read only by you.',
  input: z.object({
    path: z.string().min(1).describe('The file to write; an existing one is replaced.'),
    since: SinceInput,
  }),
  positionals: ['path'],
  output: z.object({
    path: z.string(),
    entries: z.int(),
    intact: z.boolean().describe('Whether the whole log is as it was written.'),
    head: z.string().describe('Number and hash of the last entry.'),
  }),
  deadlineMs: () => 120_000,
  examples: [
    { about: 'All of it', input: { path: 'audit.jsonl' } },
    { about: 'The last week', input: { path: 'week.jsonl', since: '7d' } },
  ],
  run: async (ctx, { path, since }) => {
    const log = await auditLog(ctx);
    const from = momentOf(since, ctx.calledAt);
    const lines: string[] = [];
    let bytes = 0;
    for await (const { entry, line } of log.entries()) {
      ctx.signal.throwIfAborted();
      if (Date.parse(entry.at) < from) continue;
      lines.push(`${line}\n`);
      bytes += line.length + 1;
      if (bytes > MOST_BYTES)
        throw new DeskterityError('INVALID_ARGUMENT', 'The audit log is too large to export at once.', {
          suggestion: `Export a part of it with ${mentionParameter('since')}, or copy the files in ${log.folder}.`,
        });
    }
    const { head, problems } = await log.check();
    const to = resolve(ctx.cwd, path);
    await ctx.files.writeAtomic(to, lines.join(''), { mode: 0o600 });
    return {
      path: to,
      entries: lines.length,
      intact: problems.length === 0,
      head: `${head.sequence}:${head.hash}`,
    };
  },
});
