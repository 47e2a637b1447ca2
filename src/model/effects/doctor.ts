import { z } from 'zod';

export const DOCTOR_OUTCOMES = ['works', 'refused', 'broken', 'skipped'] as const;

/** One capability, as it was found when it was tried. */
export const DoctorCheck = z
  .object({
    name: z.string(),
    outcome: z
      .enum(DOCTOR_OUTCOMES)
      .describe(
        'works: it was done, and arrived; refused: this machine or somebody does not allow it; broken: it failed at "step"; skipped: it was not tried.',
      ),
    detail: z.string().describe('What was seen, or why not.'),
    step: z.string().optional().describe('What was being done when it failed.'),
    fix: z.string().optional().describe('What to do about it.'),
    optional: z.boolean().optional().describe('True for what the desktop can be worked without.'),
    duration_ms: z.int().nonnegative(),
  })
  .meta({ id: 'DoctorCheck' });
export type DoctorCheck = z.output<typeof DoctorCheck>;
