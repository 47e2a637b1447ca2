import type { DeskterityError, ErrorCode } from '../../model/effects/errors.ts';
import type { StepCommand } from '../../registry/define.ts';

/** The same call cannot go better, or must not be made again. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'INVALID_ARGUMENT',
  'CANCELLED',
  'POLICY_DENIED',
  'CONFIRMATION_REQUIRED',
  'PERM_DENIED',
  'UNAUTHORIZED',
  'CONFIG_INVALID',
  'PLATFORM_UNSUPPORTED',
  'ACTION_NOT_SUPPORTED',
  'SESSION_NOT_FOUND',
  'INTERNAL',
]);

/** These say that nothing was sent. */
const NOTHING_SENT: ReadonlySet<ErrorCode> = new Set([
  'ELEMENT_NOT_FOUND',
  'APP_NOT_FOUND',
  'WINDOW_NOT_FOUND',
  'STALE_REF',
  'AMBIGUOUS_TARGET',
  'AMBIGUOUS_APP',
  'NOT_ACTIONABLE',
]);

/** Why a failed step is not tried again, as a clause; `undefined` if that is safe. */
export function whyNotAgain({ kind }: StepCommand, error: DeskterityError): string | undefined {
  const { code, delivered, result } = error;
  if (FINAL.has(code)) return `${code} would be the answer again`;
  if (kind === 'read') return undefined;
  if (delivered === true) return 'the act may have been delivered';
  if (result?.['retry_safe'] === false) return 'repeating it is not safe';
  if (delivered === false || NOTHING_SENT.has(code)) return undefined;
  return 'it is not known whether the act was delivered';
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

/** Time before another try: longer each time. */
export function pauseMs(tries: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1));
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'ACTION_NOT_SUPPORTED',
  'NOT_ACTIONABLE',
  'PLATFORM_UNSUPPORTED',
  'PERM_DENIED',
  'POLICY_DENIED',
  'CONFIRMATION_REQUIRED',
  'RATE_LIMITED',
  'UNAUTHORIZED',
]);

/** Whether an act was refused: nothing was sent. */
export function isRefusal({ kind }: StepCommand, { code, delivered }: DeskterityError): boolean {
  return kind !== 'read' && delivered !== true && REFUSALS.has(code);
}
