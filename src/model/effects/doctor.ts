import { z } from 'zod';

export const DOCTOR_OUTCOMES = ['works', 'refused', 'broken', 'skipped'] as const;
export type DoctorOutcome = (typeof DOCTOR_OUTCOMES)[number];

/** The result of trying one capability. */
export const DoctorCheck = z
  .object({
    name: z.string(),
    outcome: z
      .enum(DOCTOR_OUTCOMES)
      .describe(
        'works: tried with success; refused: the machine or a person does not allow it; broken: failed at "step"; skipped: not tried.',
      ),
    detail: z.string().describe('What was observed, or why it was not tried.'),
    step: z.string().optional().describe('What was being done when it failed.'),
    fix: z.string().optional().describe('What to do about it.'),
    optional: z.boolean().optional().describe('True if the desktop can be used without it.'),
    duration_ms: z.int().nonnegative(),
  })
  .meta({ id: 'DoctorCheck' });
export type DoctorCheck = z.output<typeof DoctorCheck>;
