import { z } from 'zod';
import { choice, flag, whole } from './setting.ts';

/** The log of what is done. A variable can only make it stricter: see {@link strictestGuards}. */
export const AuditConfiguration = z.strictObject({
  on_failure: choice(
    ['refuse', 'warn'],
    'refuse',
    'What happens to an act that cannot be recorded in the audit log: it is refused, or only warned of. Variables can set refuse only.',
  ),
  reads: flag('Also record commands that only read. A variable cannot turn it off.'),
  file_mb: whole([1, 1000], 16, 'Size in MiB after which the audit log goes on in a new file.'),
  keep_days: whole(
    [1, 36_500],
    365,
    'Days after which a file of the audit log is removed; the log records that. Only the file counts.',
  ),
  keep_mb: whole(
    [2, 100_000],
    512,
    'Size in MiB of all files of the audit log, above which the oldest are removed. Only the file counts.',
  ),
});

const MOST = 1_000_000;

/** How much may be called. 0 is no limit. A variable can only lower a limit. */
export const RateLimitConfiguration = z.strictObject({
  rps: whole(
    [0, MOST],
    50,
    'Calls per second in one session, where a call that only reads counts a quarter; 0 for no limit. Variables can only lower it, as all of this section.',
  ),
  rpm: whole([0, MOST], 1000, 'The same per minute.'),
  concurrency: whole([0, MOST], 10, 'Calls in progress at once in one session; 0 for no limit.'),
  all_rps: whole([0, MOST], 200, 'Calls per second in all sessions together.'),
  all_rpm: whole([0, MOST], 4000, 'Calls per minute in all sessions together.'),
  all_concurrency: whole([0, MOST], 64, 'Calls in progress at once in all sessions together.'),
});

type Audit = z.output<typeof AuditConfiguration>;
type RateLimit = z.output<typeof RateLimitConfiguration>;

/** The settings that guard the user. */
export interface Guards {
  readonly audit: Audit;
  readonly rate_limit: RateLimit;
}

/** The stricter of the user's own settings and those of a caller, which may come from a client. How long the log is kept only the user says. */
export function strictestGuards(own: Guards, caller: Guards): Guards {
  const limit = (key: keyof RateLimit): number => lower(own.rate_limit[key], caller.rate_limit[key]);
  return {
    audit: {
      ...own.audit,
      on_failure:
        own.audit.on_failure === 'refuse' || caller.audit.on_failure === 'refuse' ? 'refuse' : 'warn',
      reads: own.audit.reads || caller.audit.reads,
    },
    rate_limit: {
      rps: limit('rps'),
      rpm: limit('rpm'),
      concurrency: limit('concurrency'),
      all_rps: own.rate_limit.all_rps,
      all_rpm: own.rate_limit.all_rpm,
      all_concurrency: own.rate_limit.all_concurrency,
    },
  };
}

function lower(own: number, other: number): number {
  if (own === 0 || other === 0) return Math.max(own, other);
  return Math.min(own, other);
}
