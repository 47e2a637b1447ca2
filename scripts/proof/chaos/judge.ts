import { z } from 'zod';
import { ErrorBody } from '../../../src/model/effects/error-body.ts';
import { ERROR_EXIT_CODES } from '../../../src/model/effects/errors.ts';
import type { AppEvent } from '../session-app.ts';

/** What a command may need after its own deadline: the start of two programs on a busy machine, and releasing what is held. */
export const GRACE_MS = 8000;

const Failure = z.looseObject({ version: z.literal('1.0'), ok: z.literal(false), error: ErrorBody });
const Success = z.looseObject({
  version: z.literal('1.0'),
  ok: z.literal(true),
  effect: z.string().optional(),
});
const exitCodes = new Map<string, number>(Object.entries(ERROR_EXIT_CODES));

/** One answered command. */
export interface Answer {
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly durationMs: number;
}

/** What was asked for, and how the application's record shows that it happened. */
export interface Asked {
  readonly name: string;
  readonly deadlineMs: number;
  /** How often the record shows it; absent for what leaves none. */
  readonly happened?: (events: readonly AppEvent[]) => number;
  /** A repetition must be seen as one: a second press presses again. */
  readonly isCounted?: boolean;
  /** What a whole answer contains; one that says that it is incomplete may lack it. */
  readonly shows?: string;
}

export interface Verdict {
  /** `ok`, the effect or the code of the error. */
  readonly answer: string;
  readonly problem: string | undefined;
}

/** Whether an answer is true and typed and came in time. `events` are those since the command was given. */
export function judge(asked: Asked, answer: Answer, events: readonly AppEvent[]): Verdict {
  const late = answer.durationMs > asked.deadlineMs + GRACE_MS;
  const verdict = typeof answer.exitCode === 'number' ? judgeText(asked, answer, events) : hung(answer);
  const problem =
    verdict.problem ??
    (late
      ? `answered after ${Math.round(answer.durationMs)} ms, with a deadline of ${asked.deadlineMs} ms`
      : undefined);
  return {
    answer: verdict.answer,
    problem: problem && `${asked.name}: ${problem}: ${answer.stdout.slice(0, 500)}`,
  };
}

function hung({ exitCode, durationMs }: Answer): Verdict {
  return { answer: 'none', problem: `no answer within ${Math.round(durationMs)} ms (${exitCode})` };
}

function judgeText(asked: Asked, answer: Answer, events: readonly AppEvent[]): Verdict {
  const times = asked.happened?.(events);
  if (times !== undefined && times > 1 && asked.isCounted === true)
    return { answer: 'twice', problem: `happened ${times} times` };
  const data = parsed(answer.stdout);
  if (answer.exitCode === 0) {
    const success = Success.safeParse(data);
    if (!success.success) return { answer: 'untyped', problem: 'exit 0 without an answer' };
    const { effect = 'ok' } = success.data;
    return { answer: effect, problem: successProblem(asked, { effect, text: answer.stdout }, times) };
  }
  const failure = Failure.safeParse(data);
  if (!failure.success)
    return { answer: 'untyped', problem: `exit ${answer.exitCode} without a typed error` };
  const { code, suggestion, delivered } = failure.data.error;
  return { answer: code, problem: errorProblem({ code, suggestion, delivered }, answer.exitCode, times) };
}

function successProblem(
  { shows }: Asked,
  { effect, text }: { readonly effect: string; readonly text: string },
  times: number | undefined,
): string | undefined {
  if (effect === 'confirmed' && times === 0) return 'confirmed, but the application did not record it';
  const isWhole = !text.includes('"complete":false');
  if (shows !== undefined && isWhole && !text.includes(shows))
    return `a success without ${JSON.stringify(shows)}`;
  return undefined;
}

function errorProblem(
  { code, suggestion, delivered }: Pick<z.infer<typeof ErrorBody>, 'code' | 'suggestion' | 'delivered'>,
  exitCode: number | string,
  times: number | undefined,
): string | undefined {
  if (code === 'INTERNAL') return 'an error of the program itself';
  if (exitCode !== exitCodes.get(code)) return `${code} with exit code ${exitCode}`;
  if (suggestion.trim() === '') return `${code} without the next step`;
  if (delivered === false && (times ?? 0) > 0) return 'said that it was not delivered, but it happened';
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
