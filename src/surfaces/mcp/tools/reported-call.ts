import { DeskterityError } from '../../../model/effects/errors.ts';
import type { RequestChannel } from '../connections/connection.ts';
import type { CallToolResult, LoggingLevel } from '../sdk.ts';

const TICK_MS = 1000;
/** Longer calls are logged as warnings. */
const SLOW_MS = 2000;

/** What is logged of a call. */
export interface CallReport {
  readonly tool: string;
  session: string;
  /** Default: the time until the result. */
  durationMs?: number;
  /** The answer of a command. */
  output?: Readonly<Record<string, unknown>>;
}

export interface ReportedCall {
  readonly channel: RequestChannel;
  readonly title: string;
  /** Milliseconds the call may take, if that is limited. */
  readonly deadlineMs: number | undefined;
  readonly report: CallReport;
  /** May complete the report; `onStep` tells the client what the call is doing. */
  readonly run: (report: CallReport, onStep: (activity: string) => void) => Promise<CallToolResult>;
  readonly failed: (error: DeskterityError) => CallToolResult;
}

/** Runs a call of a tool, and reports its progress and its end to the client. Rejects only for bugs in this program. */
export async function reportedCall(call: ReportedCall): Promise<CallToolResult> {
  const { channel, report, run, failed } = call;
  const started = performance.now();
  let activity = call.title;
  const showProgress = () => reportProgress(call, activity, performance.now() - started);
  const timer = setInterval(showProgress, TICK_MS);
  const elapsedMs = () => Math.round(performance.now() - started);
  try {
    const result = await run(report, (now) => {
      activity = now;
      showProgress();
    });
    logCall(channel, { durationMs: elapsedMs(), ...report });
    return result;
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    logCall(channel, { ...report, durationMs: elapsedMs() }, error);
    return failed(error);
  } finally {
    clearInterval(timer);
  }
}

/** How long the call has been running and what it is doing. Progress is in seconds, of the deadline if it has one; a call that waits for an answer may pass it. */
function reportProgress({ channel, deadlineMs }: ReportedCall, activity: string, elapsedMs: number): void {
  const seconds = elapsedMs / 1000;
  const total = deadlineMs === undefined || elapsedMs > deadlineMs ? undefined : deadlineMs / 1000;
  const of = total === undefined ? '' : ` / ${total} s`;
  const message = `${activity} (${seconds.toFixed(1)} s${of})`;
  channel.progress({ message, done: Number(seconds.toFixed(3)), total });
}

/** Logs a call to the client: duration and strategy, never typed or visible text. */
function logCall(
  channel: RequestChannel,
  { tool, session, durationMs, output }: CallReport & { readonly durationMs: number },
  error?: DeskterityError,
): void {
  const strategy = output?.['via'] ?? output?.['matched_by'];
  channel.log(levelOf(durationMs, error), `deskterity.tools.${tool}`, {
    tool,
    session,
    duration_ms: durationMs,
    ...(typeof strategy === 'string' ? { strategy } : {}),
    ...(typeof output?.['effect'] === 'string' ? { effect: output['effect'] } : {}),
    ...(error === undefined ? {} : { error: error.code }),
  });
}

function levelOf(durationMs: number, error: DeskterityError | undefined): LoggingLevel {
  if (error?.code === 'INTERNAL') return 'critical';
  if (error?.code === 'CANCELLED') return 'notice';
  if (error !== undefined) return 'error';
  return durationMs > SLOW_MS ? 'warning' : 'info';
}
