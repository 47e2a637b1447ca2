import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { quoteClipped } from '../text/untrusted-text.ts';

export const DryRunTarget = z.object({
  ref: z.string().optional(),
  role: z.string(),
  name: z.string().optional(),
});
export type DryRunTarget = z.output<typeof DryRunTarget>;

/** What a command answers in a dry run. If the act would be refused, it fails with the same error instead. */
export const DryRunReport = z
  .object({
    dry_run: z.literal(true),
    would: z.string().describe('The first thing that would be done, as a phrase.'),
    target: DryRunTarget.optional().describe('What it would be done to.'),
    via: z.string().optional().describe('How: accessibility, keyboard, pointer or display.'),
  })
  .meta({ id: 'DryRunReport' });
export type DryRunReport = z.output<typeof DryRunReport>;

/** Whether an answer is that of a dry run. Commands with a dry run of their own have answers of their own. */
export function isDryRunReport(output: unknown): output is DryRunReport {
  return isRecord(output) && output['dry_run'] === true && typeof output['would'] === 'string';
}

/** `button "OK" @e7`; empty if there is none. */
export function outlineDryRunTarget(target: DryRunTarget | undefined): string {
  if (target === undefined) return '';
  const { role, name, ref } = target;
  const parts = [role, name === undefined ? undefined : quoteClipped(name), ref];
  return parts.filter((part) => part !== undefined).join(' ');
}

export function outlineDryRun({ would, target, via }: DryRunReport): string {
  const on = outlineDryRunTarget(target);
  return [
    `dry run, nothing was sent: would ${would}`,
    ...(on === '' ? [] : [`  target: ${on}`]),
    ...(via === undefined ? [] : [`  via ${via}`]),
  ].join('\n');
}
