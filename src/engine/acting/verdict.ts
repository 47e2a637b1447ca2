import { parseRef } from '../../model/refs/ref.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { activityOf } from '../evidence/activity.ts';
import { withAllPresses } from '../evidence/all-presses.ts';
import { withoutPrior } from '../evidence/prior-acts.ts';
import { startedWindows, windowChangesBetween } from '../evidence/unrelated-windows.ts';
import { usableInParts } from '../reading/opened-inside.ts';
import { LOOK_AGAIN_MS } from '../reading/opened.ts';
import { hasNoTree } from '../refs/target.ts';
import { earliestOf, judgeAttempt, type Attempt, type SentAct } from './attempt.ts';
import { lookEarly } from './look-early.ts';
import { CONTEXT_SHARE, lookAfter } from './look.ts';
import { PictureWatch } from './picture-watch.ts';
import { reportsOf, withoutTicks, type Parts, type Seen } from './ticks.ts';

/** How often the windows are listed while an act has shown nothing; not all toolkits report them. */
const LIST_EVERY_MS = 100;
/** How long keys that seem to have done nothing are watched: Chromium on a busy machine shows typed text after more than a second. */
const KEYS_LIMIT_MS = 3000;
/** How long a panel or dialog in a window may take to show what is in it. */
const FILLING_MS = 600;

/** What is answered. */
interface Observed extends Seen {
  /** More may come of the act. */
  readonly isEarly: boolean;
}

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
  const { isKnown, note } = silenceOf(parts, attempt);
  const isOver = isKnown(seen);
  while (await mayStillCome(parts, attempt, sent, { seen, lookedAt, pictures, isOver })) {
    await log.settle(0, options().signal);
    lookedAt = clock.now();
    seen = await look(seen.verdict.judgement.sawNothing === true);
  }
  // Some things come without an event, such as menus, and what came late must not be done twice. A frozen application is not asked again.
  const isReadable = seen.after.node !== undefined;
  const { sawNothing = false, effect: soFar, retrySafe } = seen.verdict.judgement;
  const isTriedAgain = soFar === 'no_op' && retrySafe;
  if ((sawNothing || isTriedAgain) && isReadable && attempt.act.isSilent !== true && !isOver)
    seen = await look(sawNothing);
  if (!isOver) note(seen);
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
  const timely = withoutPrior(verdict.judgement, sent.prior, act);
  const reports = timely.reliesOn === undefined ? [] : reportsOf(timely.reliesOn, log, judged);
  const { placed, count = 1 } = attempt.act;
  const { role } = placed?.()?.node ?? sent.before.node;
  const judgement = withAllPresses(timely, { presses: count, role }, reports);
  const { effect, reliesOn } = judgement;
  if (effect === 'confirmed' && reliesOn !== undefined && !hasNoTree(attempt.target)) {
    const reporters = reports.map(({ node }) => handleKey(node));
    activityOf(parts, attempt.target.record.app).explain(reporters, judged);
  }
  return { ...seen, verdict: { ...verdict, judgement }, isEarly: early !== undefined };
}

interface Silence {
  /** The application reacted as it did when the same act showed nothing, however long it was watched. */
  readonly isKnown: (seen: Seen) => boolean;
  readonly note: (seen: Seen) => void;
}

/** What is known of acts like this one that showed nothing. */
function silenceOf(parts: Parts, { act, target }: Attempt): Silence {
  // At a place, what reports something may be what was clicked.
  const isPlaced = act.kind === 'mouse';
  if (hasNoTree(target) || isPlaced || act.isSilent === true)
    return { isKnown: () => false, note: () => undefined };
  const { acts } = activityOf(parts, target.record.app);
  const isSilent = ({ verdict }: Seen): boolean =>
    verdict.judgement.sawNothing === true && verdict.judgement.effect === 'unverified';
  const key = handleKey(target.record);
  return {
    isKnown: (seen) => isSilent(seen) && acts.reactsAsWhenSilent(),
    note: (seen) => acts.showed(isSilent(seen) ? 'nothing' : 'something', key),
  };
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
    isOver,
  }: {
    readonly seen: Seen;
    readonly lookedAt: number;
    readonly pictures: PictureWatch | undefined;
    readonly isOver: boolean;
  },
): Promise<boolean> {
  const { effect, sawNothing = false } = verdict.judgement;
  const { deadlineMs, signal } = options(CONTEXT_SHARE);
  const key = handleKey(target.record);
  const isPart = effect === 'partial';
  // A slow application may still be taking in the typed text, character by character.
  const progressAt = isPart ? (log.events.findLast(({ node }) => handleKey(node) === key)?.atMs ?? 0) : 0;
  const limitMs = effect === 'no_op' && act.byHand === 'keys' ? KEYS_LIMIT_MS : log.limitMs;
  const end = Math.min(Math.max(span.answeredAt, progressAt) + limitMs, clock.now() + deadlineMs);
  const happens = async (isNews: (event: DesktopEvent) => boolean, ms: number): Promise<boolean> =>
    (clock.now() < end && log.events.some((event) => event.atMs >= lookedAt && isNews(event))) ||
    log.next(isNews, Math.min(ms, end - clock.now()), signal);
  // A slow handler gets as much time as a busy application.
  if (effect === 'no_op' || isPart)
    return happens(({ node }) => handleKey(node) === key, Number.POSITIVE_INFINITY);
  if (!sawNothing || act.isSilent === true || isOver) return false;
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
