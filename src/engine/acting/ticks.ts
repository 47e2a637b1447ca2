import { handleKey } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { activityOf, type JudgedSpan } from '../evidence/activity.ts';
import { isSignificant, mayTick, TICK_MS, withoutNumbers } from '../evidence/attribution.ts';
import { unverified } from '../evidence/evidence.ts';
import { itemsBeside, refreshed } from '../evidence/restless-lists.ts';
import type { EventLog } from '../evidence/settle.ts';
import { inTree, retitled } from '../evidence/unrelated-windows.ts';
import { diffTrees, type ObservedChange } from '../evidence/window-diff.ts';
import { judgeAttempt, type After, type Attempt, type SentAct, type Verdict } from './attempt.ts';
import { lookAfter } from './look.ts';

export type Parts = { readonly desktop: DesktopPort; readonly clock: ClockPort };

/** What was seen last, and what it means. */
export interface Seen {
  readonly verdict: Verdict;
  readonly after: After;
}

/** What reported a change. What comes and goes is reported by what it is in, and has no past of its own. */
export function reportsOf(
  { change, key, lineage }: ObservedChange,
  { events }: EventLog,
  { fromMs, toMs }: JudgedSpan,
): readonly DesktopEvent[] {
  const reports = events.filter(
    (event) => isSignificant(event) && event.atMs >= fromMs && event.atMs <= toMs,
  );
  const from = (keys: readonly string[]): DesktopEvent[] =>
    reports.filter((event) => keys.includes(handleKey(event.node)));
  if (change.kind === 'changed') return from([key]);
  const around = from(lineage);
  return around.length === 0 ? [] : [...around, ...from([key])];
}

/**
 * The change may come from a clock rather than the act: what changes again within one tick changes by itself, and what was quiet for as long
 * before does not. This takes another reading because some toolkits send no events: GTK 4 moves progress bars silently.
 */
export async function withoutTicks(
  parts: Parts,
  attempt: Attempt,
  sent: SentAct,
  { verdict, after }: Seen,
): Promise<Verdict> {
  const { reliesOn } = verdict.judgement;
  if (!reliesOn || !mayTick(reliesOn)) return verdict;
  const inDoubt = (why: string): Verdict => ({
    ...verdict,
    judgement: unverified([...verdict.judgement.evidence, why], false),
  });
  const { deadlineMs, signal } = attempt.options();
  // What was quiet may have begun to change by itself just now: then it answers late.
  const doubtMs = verdict.isLate ? TICK_MS : doubtAbout(parts, attempt, sent, reliesOn);
  if (doubtMs === 0) return verdict;
  if (deadlineMs < doubtMs) return inDoubt('there was no time to check whether it changes by itself');
  // A little longer, and the same act need not be watched the next time.
  const { acts } = activityOf(parts, attempt.target.record.app);
  const knownFrom = doubtMs < WORTH_MORE_MS ? undefined : acts.knownFrom();
  const leftMs = (knownFrom ?? 0) - parts.clock.now();
  await attempt.log.next(() => false, Math.max(doubtMs, Math.min(leftMs, deadlineMs / 2)), signal);
  const later = await lookAfter(parts, attempt, sent);
  if (after.tree !== undefined && later.tree === undefined)
    return inDoubt('the window could not be read again');
  const titles = retitled(after.windows ?? [], later.windows ?? []).flatMap((change) => inTree(change) ?? []);
  const again = diffTrees(after.tree, later.tree);
  const inLists = refreshedWith(parts, attempt, sent, { after, again });
  const restless = new Set([...again, ...titles, ...inLists].map(({ key }) => key));
  return judgeAttempt(attempt, { ...sent, isLate: verdict.isLate }, after, restless);
}

/** The changes in lists that were refreshed again, and the numbers elsewhere that changed when these were. */
function refreshedWith(
  { clock }: Parts,
  { log }: Attempt,
  { before, span }: SentAct,
  { after, again }: { readonly after: After; readonly again: readonly ObservedChange[] },
): readonly ObservedChange[] {
  const all = diffTrees(before.tree, after.tree);
  const inLists = refreshed(all, again, after.tree);
  const judged = { fromMs: span.askedAt, toMs: clock.now() };
  const timesOf = (observed: ObservedChange): number[] =>
    reportsOf(observed, log, judged).map(({ atMs }) => atMs);
  const times = inLists.flatMap((observed) => timesOf(observed));
  const isBeside = (observed: ObservedChange): boolean =>
    isOtherNumber(observed) &&
    timesOf(observed).some((atMs) => times.some((other) => Math.abs(other - atMs) <= ONE_CHANGE_MS));
  return times.length === 0 ? inLists : [...inLists, ...all.filter((observed) => isBeside(observed))];
}

function isOtherNumber({ change: { kind, before = '', after = '' } }: ObservedChange): boolean {
  return kind === 'changed' && withoutNumbers(before) === withoutNumbers(after);
}

/** Who waits this long once should not have to wait each time. */
const WORTH_MORE_MS = TICK_MS / 2;

/** How much longer a change must be watched until it is known that it does not come from a clock. */
export function doubtAbout(
  parts: Parts,
  { target, log }: Attempt,
  { before, span }: SentAct,
  observed: ObservedChange,
): number {
  if (MOVED_SILENTLY.has(observed.node.role)) return TICK_MS;
  const reports = reportsOf(observed, log, { fromMs: span.askedAt, toMs: parts.clock.now() });
  const [first] = reports;
  if (first === undefined || reports.some(({ atMs }) => atMs > first.atMs + ONE_CHANGE_MS)) return TICK_MS;
  const activity = activityOf(parts, target.record.app);
  const items = itemsBeside(observed, before.tree);
  return Math.max(
    activity.refreshDoubtMs(items, first.atMs, span.askedAt),
    ...reports.map(({ node }) => activity.doubtMs(handleKey(node), first.atMs, span.askedAt)),
  );
}

/** Reports of one change come together; what is reported again later may be a clock that started with the act. */
const ONE_CHANGE_MS = 60;

/** GTK 4 does not report every change of these. */
const MOVED_SILENTLY = roleSet('meter', 'progressbar');
