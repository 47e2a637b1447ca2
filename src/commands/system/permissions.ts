import { mentionParameter, onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { line, mark, nextStep, span } from '../../model/text/page.ts';
import { defineCommand, flag, timeout, callLimits } from '../../registry/define.ts';

export default defineCommand({
  name: 'permissions',
  aliases: ['check'],
  group: 'system',
  kind: 'admin',
  isReadOnly: true,
  beyondReading: 'request',
  summary: `Check whether applications can be read and controlled${onCommandLine('; exit code 1 means no')}.`,
  description: `Runs every check of this platform and says what to do about each failure. ${mentionParameter('request')} asks the system to grant or enable what is missing, if it can.`,
  input: z.object({ request: flag('Ask the system for what is missing.'), timeout_ms: timeout(10_000) }),
  output: z.object({
    granted: z.boolean().describe('Whether every check that is not optional is ok.'),
    checks: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        optional: z
          .boolean()
          .optional()
          .describe('True for what only adds something: it does not count for "granted".'),
        detail: z.string(),
        fix: z.string().optional().describe('What to do if ok is false.'),
      }),
    ),
  }),
  examples: [
    { about: 'See whether everything is in place', input: {} },
    { about: 'Enable what is missing', input: { request: true } },
  ],
  outline: ({ granted, checks }) =>
    [
      granted ? 'granted' : 'not granted',
      ...checks.map(({ name, ok, optional, detail, fix }) => {
        const verdict = ok ? 'ok' : optional === true ? 'optional' : 'missing';
        return `  ${verdict} ${name}: ${detail}${fix === undefined ? '' : ` (${fix})`}`;
      }),
    ].join('\n'),
  page: ({ granted, checks }) => [
    {
      kind: 'table',
      columns: [{ title: '' }, { title: '' }, { title: '', narrow: 'wrap' }],
      rows: checks.map(({ name, ok, detail }) => [mark(ok), name, span(detail, 'quiet')]),
      indent: 0,
      isBare: true,
    },
    ...checks.flatMap(({ fix }) => (fix === undefined ? [] : [nextStep(fix)])),
    line(granted ? span('✓ granted', 'good') : span('✗ not granted', 'bad')),
  ],
  exitCode: ({ granted }) => (granted ? 0 : 1),
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const report = await engine.permissions({ request: input.request, ...callLimits(ctx, input) });
    return { granted: report.granted, checks: report.checks.map((check) => ({ ...check })) };
  },
});
