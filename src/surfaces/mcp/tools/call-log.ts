import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { RequestChannel } from '../connections/connection.ts';
import type { LoggingLevel } from '../sdk.ts';

/** Longer calls are logged as warnings. */
const SLOW_MS = 2000;

export interface CallReport {
  readonly tool: string;
  readonly session: string;
  readonly durationMs: number;
  /** The answer; absent for a failure. */
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: DeskterityError | undefined;
}

/** Logs a call to the client: duration and strategy, never typed or visible text. */
export function logCall(channel: RequestChannel, report: CallReport): void {
  const { tool, session, durationMs, output, error } = report;
  const strategy = output?.['via'] ?? output?.['matched_by'];
  channel.log(levelOf(report), `deskterity.tools.${tool}`, {
    tool,
    session,
    duration_ms: durationMs,
    ...(typeof strategy === 'string' ? { strategy } : {}),
    ...(typeof output?.['effect'] === 'string' ? { effect: output['effect'] } : {}),
    ...(error === undefined ? {} : { error: error.code }),
  });
}

function levelOf({ durationMs, error }: CallReport): LoggingLevel {
  if (error?.code === 'INTERNAL') return 'critical';
  if (error?.code === 'CANCELLED') return 'notice';
  if (error !== undefined) return 'error';
  return durationMs > SLOW_MS ? 'warning' : 'info';
}
