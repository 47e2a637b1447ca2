import { parseRef } from '../../model/refs/ref.ts';
import { handleKey } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { ClockPort } from '../../ports/clock.ts';
import { activityOf, type JudgedSpan } from '../evidence/activity.ts';
import { EARLY_MS, isSignificant, mayTick, TICK_MS } from '../evidence/attribution.ts';
import { unverified } from '../evidence/evidence.ts';
import type { EventLog } from '../evidence/settle.ts';
import { withoutPrior } from '../evidence/prior-acts.ts';
import { inTree, retitled, startedWindows, windowChangesBetween } from '../evidence/unrelated-windows.ts';
import { diffTrees, type ObservedChange } from '../evidence/window-diff.ts';
import { usableInParts } from '../reading/opened-inside.ts';
import { LOOK_AGAIN_MS } from '../reading/opened.ts';
import { hasNoTree } from '../refs/target.ts';
import {
  earliestOf,
  judgeAttempt,
  type ActKind,
  type After,
  type Attempt,
  type SentAct,
  type Verdict,
} from './attempt.ts';
import { CONTEXT_SHARE, lookAfter } from './look.ts';
import { PictureWatch } from './picture-watch.ts';

/** How often the windows are listed while an act has shown nothing; not all toolkits report them. */
const LIST_EVERY_MS = 100;
/** How long a panel or dialog in a window may take to show what is in it. */
const FILLING_MS = 600;

/** What was seen last, and what it means. */
interface Seen {
  readonly verdict: Verdict;
  readonly after: After;
}

/** What is answered. */
interface Observed extends Seen {
  /** More may come of the act. */
  readonly isEarly: boolean;
}

type Parts = { readonly desktop: DesktopPort; readonly clock: ClockPort };

/**
 * Looks at what an act caused once it has settled, and again while the effect may still come: an act that showed nothing is watched until its
 * limit, and the first event or window ends the wait.
 */
export async function observeEffect(parts: Parts, attempt: Attempt, sent: SentAct): Promise<Observed> {
  const { clock } = parts;
  const { log, options } = attempt;
  const look = async (isLate: boolean, mirrored = false): Promise<Seen> => {
    const after = await lookAfter(parts, attempt, sent, mirrored);
    return { after, verdict: judgeAttempt(attempt, { ...sent, isLate }, after) };
  };
  const early = await lookEarly(parts, attempt, sent, () => look(false, true));
  let lookedAt = clock.now();
  let seen = early ?? (await look(false));
  const pictures = isPictured(seen) ? await PictureWatch.begin(parts, attempt, sent, seen) : undefined;
  while (await mayStillCome(parts, attempt, sent, { seen, lookedAt, pictures })) {
    await log.settle(0, options().signal);
    lookedAt = clock.now();
    seen = await look(seen.verdict.judgement.sawNothing === true);
  }
  // Some things come without an event, such as menus, and what came late must not be done twice. A frozen application is not asked again.
  const isReadable = seen.after.node !== undefined;
  const { sawNothing = false, effect: soFar, retrySafe } = seen.verdict.judgement;
  const isTriedAgain = soFar === 'no_op' && retrySafe;
  if ((sawNothing || isTriedAgain) && isReadable && attempt.act.isSilent !== true)
    seen = await look(sawNothing);
  seen = await onceFilled(parts, attempt, sent, { seen, look: () => look(seen.verdict.isLate) });
  if (pictures && isPictured(seen)) {
    const judgement = await pictures.judge(seen.verdict.judgement, seen.after);
    seen = { ...seen, verdict: { ...seen.verdict, judgement } };
  }
  const { askedAt } = sent.span;
  const judged = { fromMs: askedAt, toMs: clock.now() };
  const verdict = await withoutTicks(parts, attempt, sent, seen);
  // Everything is inside a window: only an element can be the one that keys act on.
  const isElement = parseRef(attempt.target.ref)?.kind === 'e';
  const targetKey = isElement ? handleKey(attempt.target.record) : undefined;
  const act = { askedAt, targetKey, isKeys: attempt.act.kind === 'press' };
  const judgement = withoutPrior(verdict.judgement, sent.prior, act);
  const { effect, reliesOn } = judgement;
  if (effect === 'confirmed' && reliesOn !== undefined && !hasNoTree(attempt.target)) {
    const reporters = reportsOf(reliesOn, log, judged).map(({ node }) => handleKey(node));
    activityOf(parts, attempt.target.record.app).explain(reporters, judged);
  }
  return { ...seen, verdict: { ...verdict, judgement }, isEarly: early !== undefined };
}

/**
 * Waits until the act has settled, or returns a look that already proves its effect. Keys and clicks go through the display, which reports later
 * than applications do who else may have received them. This look may rest on what is known: whatever it does not prove is looked at anew.
 */
async function lookEarly(
  parts: Parts,
  attempt: Attempt,
  sent: SentAct,
  look: () => Promise<Seen>,
): Promise<Seen | undefined> {
  const { log, options } = attempt;
  const { outcome } = sent;
  const { askedAt, activationDelayMs } = sent.span;
  const { signal } = options();
  if (outcome.accepted !== true || outcome.sentAtMs !== undefined) {
    await log.settle(activationDelayMs, signal);
    return undefined;
  }
  const delayMs = SET_AT_ONCE.has(attempt.act.kind) ? 0 : activationDelayMs;
  const isTelling = (event: DesktopEvent): boolean =>
    isSignificant(event) && event.atMs >= askedAt + delayMs - EARLY_MS;
  const began = parts.clock.now();
  const leftOf = (ms: number): number => Math.max(0, ms - (parts.clock.now() - began));
  const told = (quietMs: number): Promise<boolean> =>
    log.settleOrTold(leftOf(delayMs), { isTelling, quietMs }, signal);
  let isTold = false;
  for (const quietMs of [ONE_BURST_MS, TOLD_QUIET_MS]) {
    isTold = await told(quietMs);
    if (!isTold) break;
    const count = log.events.length;
    const seen = await look();
    const isProven = isConclusive(parts, attempt, sent, seen);
    const isLast = quietMs === TOLD_QUIET_MS;
    if (isProven && (isLast || (await log.stayedQuiet(count, TOLD_QUIET_MS, signal)))) return seen;
    // Whether a clock did it, a look so soon cannot tell.
    if (!isProven && seen.verdict.judgement.effect === 'confirmed') break;
  }
  const isDelayOver = delayMs === activationDelayMs;
  if (isTold || !isDelayOver) await log.settle(isDelayOver ? 0 : leftOf(activationDelayMs), signal);
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

/** Looks again until two looks agree on how much there is to use in panels and dialogs that appeared. What came meanwhile is told, but proves nothing. */
async function onceFilled(
  { clock }: Parts,
  { screen, options }: Attempt,
  { before }: SentAct,
  { seen: first, look }: { readonly seen: Seen; readonly look: () => Promise<Seen> },
): Promise<Seen> {
  let seen = first;
  let usable = screen === undefined ? usableInParts(before.tree, seen.after.tree) : undefined;
  const end = clock.now() + Math.min(FILLING_MS, options(CONTEXT_SHARE).deadlineMs);
  while (usable !== undefined && clock.now() + LOOK_AGAIN_MS < end) {
    await clock.sleep(LOOK_AGAIN_MS, options().signal);
    const { after, verdict } = await look();
    if (after.tree === undefined) return seen;
    seen = { after, verdict: { ...verdict, judgement: first.verdict.judgement } };
    const now = usableInParts(before.tree, after.tree);
    if (now === usable) return seen;
    usable = now;
  }
  return seen;
}

/** Focus and caret follow at once what moves them. */
function isWorthALook({ kind }: DesktopEvent): boolean {
  return kind !== 'focus-changed' && kind !== 'caret-moved';
}

function isPictured({ verdict: { judgement }, after }: Seen): boolean {
  const { mayBePictured = false, hasClosedWithIt = false } = judgement;
  return mayBePictured && (after.node !== undefined || (hasClosedWithIt && after.tree !== undefined));
}

/** Whether something happens after a look that showed no effect, or only a part of it. */
async function mayStillCome(
  { desktop, clock }: Parts,
  { act, target, log, options }: Attempt,
  { before, outcome, span }: SentAct,
  {
    seen: { verdict, after },
    lookedAt,
    pictures,
  }: { readonly seen: Seen; readonly lookedAt: number; readonly pictures: PictureWatch | undefined },
): Promise<boolean> {
  const { effect, sawNothing = false } = verdict.judgement;
  const { deadlineMs, signal } = options(CONTEXT_SHARE);
  const end = Math.min(span.answeredAt + log.limitMs, clock.now() + deadlineMs);
  const key = handleKey(target.record);
  const happens = async (isNews: (event: DesktopEvent) => boolean, ms: number): Promise<boolean> =>
    (clock.now() < end && log.events.some((event) => event.atMs >= lookedAt && isNews(event))) ||
    log.next(isNews, Math.min(ms, end - clock.now()), signal);
  // A slow handler gets as much time as a busy application.
  if (effect === 'no_op' || effect === 'partial')
    return happens(({ node }) => handleKey(node) === key, Number.POSITIVE_INFINITY);
  if (!sawNothing || act.isSilent === true) return false;
  const isWindowNew = async (call: CallOptions): Promise<boolean> => {
    if (before.windows === undefined || after.windows === undefined) return false;
    const windows = await desktop.listWindows(call).catch(() => undefined);
    const sinceMs = clock.now() - earliestOf(act, { before, outcome, span });
    const started = startedWindows(desktop, before, { windows, pid: after.pid }, sinceMs);
    const now = { windows, pid: after.pid, started };
    return windowChangesBetween(before, now).length > windowChangesBetween(before, after).length;
  };
  while (clock.now() < end) {
    if (await happens(isWorthALook, LIST_EVERY_MS)) return true;
    if (clock.now() < end && (await isWindowNew(options(CONTEXT_SHARE)))) return true;
    await pictures?.take();
  }
  return false;
}

/** What reported a change. What comes and goes is reported by what it is in, and has no past of its own. */
function reportsOf(
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
async function withoutTicks(
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
  await attempt.log.next(() => false, doubtMs, signal);
  const later = await lookAfter(parts, attempt, sent);
  if (after.tree !== undefined && later.tree === undefined)
    return inDoubt('the window could not be read again');
  const titles = retitled(after.windows ?? [], later.windows ?? []).flatMap((change) => inTree(change) ?? []);
  const restless = new Set([...diffTrees(after.tree, later.tree), ...titles].map(({ key }) => key));
  return judgeAttempt(attempt, { ...sent, isLate: verdict.isLate }, after, restless);
}

/** How much longer a change must be watched until it is known that it does not come from a clock. */
function doubtAbout(
  parts: Parts,
  { target, log }: Attempt,
  { span }: SentAct,
  observed: ObservedChange,
): number {
  if (MOVED_SILENTLY.has(observed.node.role)) return TICK_MS;
  const reports = reportsOf(observed, log, { fromMs: span.askedAt, toMs: parts.clock.now() });
  const [first] = reports;
  if (first === undefined || reports.some(({ atMs }) => atMs > first.atMs + ONE_CHANGE_MS)) return TICK_MS;
  const activity = activityOf(parts, target.record.app);
  return Math.max(...reports.map(({ node }) => activity.doubtMs(handleKey(node), first.atMs, span.askedAt)));
}

/** Reports of one change come together; what is reported again later may be a clock that started with the act. */
const ONE_CHANGE_MS = 60;

/** GTK 4 does not report every change of these. */
const MOVED_SILENTLY = roleSet('meter', 'progressbar');
