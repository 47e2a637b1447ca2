import { onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { DOCTOR_OUTCOMES, DoctorCheck } from '../../model/effects/doctor.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { pageOfDoctor } from './doctor-page.ts';
import { defineCommand, timeout, type CommandContext } from '../../registry/define.ts';

const count = z.int().nonnegative();

export default defineCommand({
  name: 'doctor',
  group: 'system',
  kind: 'admin',
  noDryRun: 'It tries things on a window of its own; what it would find is not known before.',
  idempotent: true,
  summary: `Try every capability on a small test window and report what works${onCommandLine('; exit code 1 means that something does not')}.`,
  description:
    'For a few seconds a window "Deskterity probe" appears and receives the focus and a click; then focus and pointer are restored. Your clipboard is not touched. Command-line tools are tested by running a confined command, terminals by typing a command into one. Each check reports works, refused, broken (at which step) or skipped, and what to do about it. "healthy" covers all checks that are not optional. Do not use keyboard or pointer meanwhile.',
  input: z.object({ timeout_ms: timeout(20_000) }),
  output: z.object({
    healthy: z.boolean().describe('Whether every check that is not optional works.'),
    summary: z.object({ works: count, refused: count, broken: count, skipped: count }),
    checks: z.array(DoctorCheck),
  }),
  examples: [
    { about: 'See what works on this desktop', input: {} },
    { about: 'The same as lines for a person', input: {}, format: 'text' },
  ],
  outline: ({ healthy, summary, checks }) => {
    const counts = DOCTOR_OUTCOMES.map((outcome) => `${summary[outcome]} ${outcome}`);
    const width = Math.max(...checks.map(({ name }) => name.length));
    return [
      `${healthy ? 'healthy' : 'not healthy'}: ${counts.join(', ')}`,
      ...checks.flatMap(({ name, outcome, detail, step, fix, optional }) => [
        `  ${outcome.padEnd(7)} ${name.padEnd(width)} ${step === undefined || outcome === 'works' ? '' : `at "${step}": `}${detail}${optional === true && outcome !== 'works' ? ' (optional)' : ''}`,
        ...(fix === undefined ? [] : [`          fix: ${fix}`]),
      ]),
    ].join('\n');
  },
  page: pageOfDoctor,
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
  run: async (ctx, input) => {
    const end = ctx.clock.now() + input.timeout_ms;
    const onTrial = (name: string): void => ctx.progress?.({ message: `trying ${name}` });
    const onDesktop = await checkDesktop(ctx, input.timeout_ms, onTrial);
    const deadlineMs = Math.max(1, end - ctx.clock.now());
    const onCommandLine = await ctx.checkCommandLine({ deadlineMs, signal: ctx.signal, onTrial });
    const checks = [...onDesktop, ...onCommandLine, daemon(ctx)];
    const of = (outcome: DoctorCheck['outcome']): number =>
      checks.filter((check) => check.outcome === outcome).length;
    return {
      healthy: checks.every(({ outcome, optional }) => outcome === 'works' || optional === true),
      summary: {
        works: of('works'),
        refused: of('refused'),
        broken: of('broken'),
        skipped: of('skipped'),
      },
      checks,
    };
  },
});

/** If there is no desktop to test, that is the one result. */
async function checkDesktop(
  ctx: CommandContext,
  deadlineMs: number,
  onTrial: (name: string) => void,
): Promise<readonly DoctorCheck[]> {
  const started = ctx.clock.now();
  try {
    const engine = await ctx.engine();
    return await engine.doctor({ deadlineMs, signal: ctx.signal, onTrial });
  } catch (error) {
    if (!(error instanceof DeskterityError) || ctx.signal.aborted) throw error;
    return [
      {
        name: 'display',
        outcome: 'broken',
        detail: error.message,
        step: 'reach the desktop',
        fix: error.suggestion,
        duration_ms: Math.round(ctx.clock.now() - started),
      },
    ];
  }
}

function daemon(ctx: CommandContext): DoctorCheck {
  const facts = ctx.daemon?.facts();
  const check = { name: 'daemon', optional: true, duration_ms: 0 };
  if (facts !== undefined)
    return { ...check, outcome: 'works', detail: `Daemon ${facts.version} answers, pid ${facts.pid}.` };
  return { ...check, outcome: 'skipped', detail: 'This call was answered without the daemon.' };
}
