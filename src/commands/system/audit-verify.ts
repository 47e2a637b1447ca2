import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { line, mark, span } from '../../model/text/page.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import { defineCommand, optionalText } from '../../registry/define.ts';
import { auditLog } from './audit-parts.ts';

export default defineCommand({
  name: ['audit', 'verify'],
  group: 'system',
  kind: 'admin',
  isReadOnly: true,
  surfaces: ['cli', 'library'],
  title: 'Check the audit log',
  summary: 'Check that the audit log is as it was written.',
  description: `Every entry contains the hash of the one before it, and the head file names the last one: changed, swapped and missing entries and a cut end are found. Exit code 1 if there is a problem. Somebody with your rights who writes all files anew is found only with ${mentionParameter('expect')}, the head of an earlier check that was kept elsewhere.`,
  input: z.object({
    expect: optionalText('An entry that must be in the log, as its number and hash, such as 812:5f0c….'),
  }),
  output: z.object({
    intact: z.boolean(),
    entries: z.int(),
    files: z.int(),
    head: z.string().describe('Number and hash of the last entry; keep it elsewhere for expect.'),
    problems: z
      .array(
        z.object({
          file: z.string(),
          line: z.int().optional(),
          sequence: z.int().optional(),
          problem: z.string(),
        }),
      )
      .describe('The first broken place first; at most 20.'),
    notes: z.array(z.string()).describe('What is unusual but explained by the log.'),
    folder: z.string(),
  }),
  deadlineMs: () => 120_000,
  examples: [
    { about: 'Check all of it', input: {}, format: 'text' },
    {
      about: 'That nothing before a known entry has changed',
      input: { expect: `12:${'0123456789abcdef'.repeat(4)}` },
    },
  ],
  outline: ({ intact, entries, files, head, problems, notes, folder }) =>
    [
      intact
        ? `intact: ${entries} entries in ${files} files`
        : `NOT INTACT: ${problems.length} problems in ${entries} entries`,
      ...problems.map(({ problem }) => `problem: ${problem}`),
      ...notes.map((note) => `note: ${note}`),
      `head: ${head}`,
      `folder: ${folder}`,
    ].join('\n'),
  page: ({ intact, entries, files, head, problems, notes, folder }) => [
    line([mark(intact), ' ', `${entries} entries in ${files} files`]),
    ...problems.map(({ problem }) => line([span('✗ ', 'bad'), problem])),
    ...notes.map((note) => line(span(note, 'quiet'))),
    line([span('head: ', 'quiet'), head]),
    line([span('folder: ', 'quiet'), folder]),
  ],
  exitCode: ({ intact }) => (intact ? 0 : 1),
  run: async (ctx, { expect }) => {
    const log = await auditLog(ctx);
    const check = await log.check(expect === undefined ? undefined : expectedEntry(expect));
    return {
      intact: check.problems.length === 0,
      entries: check.entries,
      files: check.files,
      head: `${check.head.sequence}:${check.head.hash}`,
      problems: check.problems.map(({ file, line: at, sequence, problem }) => ({
        file,
        ...(at === undefined ? {} : { line: at }),
        ...(sequence === undefined ? {} : { sequence }),
        problem,
      })),
      notes: [...check.notes],
      folder: log.folder,
    };
  },
});

function expectedEntry(text: string): { readonly sequence: number; readonly hash: string } {
  const [, sequence = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash !== '') return { sequence: Number(sequence), hash };
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${mentionParameter('expect')} is ${quoteClipped(text)}; expected a number, a colon and a hash of 64 digits.`,
    { suggestion: 'Use the head that an earlier check has shown.' },
  );
}
