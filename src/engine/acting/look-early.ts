import { handleKey } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { EARLY_MS, isSignificant } from '../evidence/attribution.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import type { ActKind, Attempt, SentAct } from './attempt.ts';
import { doubtAbout, type Parts, type Seen } from './ticks.ts';

/**
 * Waits until the act has settled, or returns a look that already proves its effect. This look may rest on what is known: whatever it does not
 * prove is looked at anew.
 */
export async function lookEarly(
  parts: Parts,
  attempt: Attempt,
  sent: SentAct,
  look: () => Promise<Seen>,
): Promise<Seen | undefined> {
  const { log, options } = attempt;
  const { outcome } = sent;
  const { askedAt, activationDelayMs } = sent.span;
  const { signal } = options();
  if (outcome.accepted === undefined) return lookOnceQuiet(parts, attempt, sent, look);
  if (!outcome.accepted) {
    await log.settle(activationDelayMs, signal);
    return undefined;
  }
  const delayMs = SET_AT_ONCE.has(attempt.act.kind) ? 0 : activationDelayMs;
  const isTelling = (event: DesktopEvent): boolean =>
    isSignificant(event) && event.atMs >= askedAt + delayMs - EARLY_MS;
  const began = parts.clock.now();
  // Below zero if the delay is over: quiet counts from then.
  const leftOf = (ms: number): number => ms - (parts.clock.now() - began);
  const told = (quietMs: number): Promise<boolean> =>
    log.settleOrTold(leftOf(delayMs), { isTelling, quietMs }, signal);
  // A sheet has taken the number when it answers, and sends no event about it.
  const isReadAtOnce = SET_AT_ONCE.has(attempt.act.kind) && isSheetCell(attempt.target.node);
  let isTold = false;
  for (const quietMs of [ONE_BURST_MS, TOLD_QUIET_MS]) {
    const isFirst = quietMs === ONE_BURST_MS;
    isTold = (isFirst && isReadAtOnce) || (await told(quietMs));
    if (!isTold) break;
    const count = log.events.length;
    const seen = await look();
    const isProven = isConclusive(parts, attempt, sent, seen);
    if (isProven && (!isFirst || (await log.stayedQuiet(count, TOLD_QUIET_MS, signal)))) return seen;
    // Whether a clock did it, a look so soon cannot tell.
    if (!isProven && seen.verdict.judgement.effect === 'confirmed') break;
  }
  if (isTold || delayMs < activationDelayMs) await log.settle(leftOf(activationDelayMs), signal);
  return undefined;
}

/**
 * The same for keys and clicks. Applications do not acknowledge them, and the display reports later than applications do who else may have received
 * them. So it waits for the whole quiet. It does not wait first for as long as a slow application takes to react.
 */
async function lookOnceQuiet(
  parts: Parts,
  attempt: Attempt,
  sent: SentAct,
  look: () => Promise<Seen>,
): Promise<Seen | undefined> {
  const { log, options } = attempt;
  const { askedAt, activationDelayMs } = sent.span;
  const { signal } = options();
  const began = parts.clock.now();
  const sentAt = sent.outcome.sentAtMs ?? askedAt;
  const isTelling = (event: DesktopEvent): boolean => isSignificant(event) && event.atMs >= sentAt;
  const waits = { isTelling, quietMs: log.quietMs, isDelayMost: true };
  if (!(await log.settleOrTold(activationDelayMs, waits, signal))) return undefined;
  const count = log.events.length;
  const seen = await look();
  if (log.events.length === count && isConclusive(parts, attempt, sent, seen)) return seen;
  await log.settle(activationDelayMs - (parts.clock.now() - began), signal);
  return undefined;
}

/** Between events of one change that come at once. A look begun then holds if nothing comes for {@link TOLD_QUIET_MS}. */
const ONE_BURST_MS = 4;
/** Between events of one change. */
const TOLD_QUIET_MS = 20;

/** Acts that toolkits carry out while they handle the call; they delay only what is pressed. */
const SET_AT_ONCE: ReadonlySet<string> = new Set<ActKind>(['set-value', 'type', 'clear']);

/** Whether an effect is proven that nothing is likely to follow, and no change that is told may come from a clock. */
function isConclusive(parts: Parts, attempt: Attempt, sent: SentAct, { verdict }: Seen): boolean {
  const { judgement, changes, windowChanges } = verdict;
  if (judgement.effect !== 'confirmed' || judgement.mayBePictured === true || windowChanges.length > 0)
    return false;
  const targetKey = handleKey(attempt.target.record);
  return changes.every(
    (observed) =>
      observed.key === targetKey ||
      observed.change.kind === 'focus' ||
      // Where something comes or goes, more does.
      (observed.change.kind === 'changed' && doubtAbout(parts, attempt, sent, observed) === 0),
  );
}
