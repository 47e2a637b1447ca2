import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CommandContext } from '../../registry/define.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The log. @throws DeskterityError PLATFORM_UNSUPPORTED if this program keeps none */
export async function auditLog({ audit }: CommandContext) {
  if (audit !== undefined) return audit.log();
  throw new DeskterityError('PLATFORM_UNSUPPORTED', 'This program keeps no audit log.', {
    suggestion: 'Use the command line or the daemon, which keep one.',
  });
}

export const SinceInput = z
  .string()
  .describe('Only what was recorded since then: 30m, 2h, 7d, or a time such as 2026-01-31T08:00.')
  .optional();

/** The moment that a text means. @throws DeskterityError INVALID_ARGUMENT */
export function momentOf(since: string | undefined, now: Date): number {
  if (since === undefined) return Number.NEGATIVE_INFINITY;
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(since) ?? [];
  const ago = UNITS[unit];
  const at = ago === undefined ? Date.parse(since) : now.getTime() - Number(amount) * ago;
  if (!Number.isNaN(at)) return at;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${mentionParameter('since')} is ${quoteClipped(since)}, which is not a time.`,
    {
      suggestion: 'Use a time such as 2026-01-31T08:00, or one before now such as 30m, 2h or 7d.',
    },
  );
}
