import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { RequestVoice } from '../connections/connection.ts';
import type { LoggingLevel } from '../sdk.ts';

/** A call that takes longer is told as a warning. */
const SLOW_MS = 2000;

export interface CallReport {
  readonly tool: string;
  readonly session: string;
  readonly durationMs: number;
  /** What was answered; absent for a failure. */
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: DeskterityError | undefined;
}

/** Tells the client's log how a call fared: how long it took, by what way, never what was typed or seen. */
export function logCall(voice: RequestVoice, report: CallReport): void {
  const { tool, session, durationMs, output, error } = report;
  const strategy = output?.['via'] ?? output?.['matched_by'];
  voice.log(levelOf(report), `deskterity.tools.${tool}`, {
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
